package io.colocate.functions

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.AnalysisException

import io.colocate.testing.ColocateTestSession

class LoggedQueriesFunctionSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t USING parquet AS SELECT 1 AS a")
  }

  private val sqlEvents = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"
  private val connectEvents =
    "org.apache.spark.sql.connect.service.SparkListenerConnectOperationStarted"

  private def run(text: String, id: Int, root: String = "", tags: String = ""): String =
    s"""{"Event":"$sqlEvents","executionId":$id,$root"description":"$text","jobTags":[$tags]}"""

  private def sent(tag: String, message: String): String =
    s"""{"Event":"$connectEvents","jobTag":"$tag","statementText":"$message"}"""

  private def written(folder: Path, name: String, lines: String*): String = {
    Files.createDirectories(folder)
    val start = """{"Event":"SparkListenerLogStart","Spark Version":"4.2.0"}"""
    Files.writeString(folder.resolve(name), (start +: lines).mkString("", "\n", "\n")).toString
  }

  private def found(log: String): Seq[(String, Long, String)] =
    spark.sql("SELECT * FROM colocate_logged_queries(:log)", Map[String, Any]("log" -> log))
      .collect().toSeq.map(row => (row.getString(0), row.getLong(1), row.getString(2)))

  private def folder(): Path = Files.createTempDirectory("events")

  test("the texts with their runs; parts of a run and other events are none") {
    val log = written(folder(), "app-1", run("SELECT a FROM t", 0, """"rootExecutionId":0,"""),
      run(" SELECT a FROM t", 1), run("SELECT a FROM t", 2, """"rootExecutionId":1,"""),
      """{"Event":"Other","description":"a SparkListenerSQLExecutionStart"}""", run("TABLE t", 3),
      """{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExec""")
    assert(found(log) == Seq(("SELECT a FROM t", 2, null), ("TABLE t", 1, null)))
  }

  test("what is left out says why") {
    val log = written(folder(), "app-1", run("collect at Main.scala:1", 0), run("DROP TABLE t", 1),
      run("SELECT a FROM gone", 2), run("SELECT '*********(redacted)' FROM t", 3))
    val why = found(log).map { case (text, _, why) => text -> why }.toMap
    assert(why("collect at Main.scala:1") == "the log has no SQL text that Spark can read")
    assert(why("DROP TABLE t") == "it is a statement that is no query")
    assert(
      why("SELECT a FROM gone").startsWith("Spark cannot plan it here: [TABLE_OR_VIEW_NOT_FOUND]"))
    assert(why("SELECT '*********(redacted)' FROM t") == "a part of the text is redacted")
  }

  test("queries of Spark Connect have their texts in the messages of clients") {
    val query =
      """common {\n  plan_id: 1\n}\nsql {\n  query: \"SELECT a, \\'x\\\\\\303\\274\\' FROM t\"\n}\n"""
    val part = """common {\n}\nfilter {\n  input {\n sql {\n  query: \"SELECT 1\"\n}\n}\n}\n"""
    val long = """sql {\n  query: \"SELECT [truncated(size=9999)]\"\n}\n"""
    val log = written(folder(), "app-1", sent("x", query), sent("y", part), sent("z", long),
      run("Spark Connect - ...", 0, tags = "\"session\",\"x\""),
      run("Spark Connect - part", 1, tags = "\"y\""),
      run("Spark Connect - long", 2, tags = "\"z\""))
    assert(found(log).filter(_._3 == null) == Seq(("SELECT a, 'x\\ü' FROM t", 1, null)))
    assert(found(log).length == 3)
  }

  test("a folder of logs, rolling ones among them, of which a compacted file has what is left") {
    val all = folder()
    written(all, "app-1", run("SELECT 1", 0))
    written(all.resolve("eventlog_v2_app-2"), "events_1_app-2", run("SELECT 9", 0))
    written(all.resolve("eventlog_v2_app-2"), "events_2_app-2.compact", run("SELECT 2", 1))
    written(all.resolve("eventlog_v2_app-2"), "events_10_app-2", run("SELECT 3", 2))
    Files.writeString(all.resolve("eventlog_v2_app-2").resolve("appstatus_app-2"), "")
    Files.writeString(all.resolve(".app-1.crc"), "crc")
    assert(found(all.toString).map(_._1) == Seq("SELECT 1", "SELECT 2", "SELECT 3"))
    assert(found(all.resolve("eventlog_v2_app-2").toString).map(_._1) ==
      Seq("SELECT 2", "SELECT 3"))
  }

  test("what is no event log") {
    val none = folder()
    val text = Files.writeString(folder().resolve("a.txt"), "SELECT 1\n").toString
    for ((log, said) <- Seq(none.toString -> "holds no event log", text -> "is no event log",
        "/nowhere/at/all" -> "FileNotFoundException")) {
      val error = intercept[AnalysisException](found(log))
      assert(error.getMessage.contains("accepted: the path of an event log of Spark, and this one"))
      assert(error.getMessage.contains(said))
    }
    assert(intercept[AnalysisException](found(" ")).getMessage.contains("event_log is ' '"))
  }
}
