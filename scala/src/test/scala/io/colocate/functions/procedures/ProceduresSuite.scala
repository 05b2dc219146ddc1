package io.colocate.functions.procedures

import scala.reflect.ClassTag

import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog.{Identifier, ProcedureCatalog}
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import io.colocate.functions.adapt.AdaptCall
import io.colocate.tables.sql.TableSession

/** What `CALL colocate...` does, and when. */
class ProceduresSuite extends TableSession {

  private def table(): String = create(numbers(2000), "maxLeafRows" -> "100")

  private def asked(): String = {
    val path = table()
    (0 until 20).foreach(i => read(path).where(s"b >= ${i * 37} AND b < ${i * 37 + 15}").collect())
    path
  }

  private def refused(statement: String): String = {
    val error = intercept[AnalysisException](sql(statement))
    assert(error.getCondition == "COLOCATE_INVALID_ARGUMENT", error)
    error.getMessage
  }

  private val eager = "budget => 1, write_cost => 1"

  test("adapt answers as the table function does, and acts once however often its rows are read") {
    val path = asked()
    val told = sql(s"SELECT * FROM colocate_adapt('$path', $eager, dry_run => true)")
    val dry = sql(s"CALL colocate.adapt('$path', $eager, dry_run => true)")
    assert(dry.schema.map(f => (f.name, f.dataType)) == told.schema.map(f => (f.name, f.dataType)))
    assert(dry.collect().toSeq == told.collect().toSeq && version(path) == 0)
    val done = sql(s"CALL colocate.adapt('$path', $eager)")
    assert(version(path) == 1)
    assert(
      done.count() == 1 && done.head().getLong(0) == 1 && done.select("rows").head() == Row(2000L))
    assert(done.union(done).count() == 2 && version(path) == 1)
    same(numbers(2000), read(path))
    assert(log(path).history.next().info.operation == "ADAPT")
    val again = sql(s"CALL COLOCATE.Adapt(TABLE => '$path', WRITE_COST => 50)").head()
    assert(again.isNullAt(0) && again.getAs[String]("reason") == "ADAPT_PRICE")
  }

  test("nothing is done where a call is explained, planned or only analysed with others") {
    val path = asked()
    val call = s"CALL colocate.adapt('$path', $eager)"
    assert(sql(s"EXPLAIN $call").head().getString(0).contains("adapt"))
    sql(s"EXPLAIN EXTENDED $call").collect()
    val quoted = call.replace("'", "\\'")
    sql(s"SELECT * FROM colocate_explain('$quoted')").collect()
    sql(s"SELECT * FROM colocate_why_not('$quoted')").collect()
    sql(s"SELECT * FROM colocate_check_dependencies('$quoted')").collect()
    assert(version(path) == 0)
    sql(call)
    assert(version(path) == 1)
  }

  test("compact tells what it gathered, by path and by name") {
    sql(
      "CREATE TABLE small USING colocate OPTIONS (maxLeafRows '1000') AS SELECT id AS a FROM range(100)")
    (1 to 3).foreach(i =>
      sql(s"INSERT INTO small SELECT id FROM range(${i * 100}, ${i * 100 + 100})"))
    val done = sql("CALL colocate.compact('small', map('compression', 'zstd'))").head()
    val stats = sql("SELECT files, rows, bytes FROM colocate_table_stats('small')").head()
    assert(done.getLong(0) == 4 && done.getLong(1) >= 4 && done.getLong(2) == stats.getAs[Number](
      0).longValue)
    assert(done.getLong(3) == 400 && done.getLong(4) == stats.getAs[Number](2).longValue)
    assert(sql("CALL colocate.compact(table => 'default.small')").head() == Row(null, 0, 0, 0, 0))
    assert(sql("SELECT * FROM small").count() == 400)
  }

  test("vacuum tells what it removed, and with dry_run what it would") {
    val path = table()
    write(numbers(10), path, "overwrite")
    val files = sql(s"SELECT * FROM colocate_table_files('$path', 0)").count()
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      val dry = sql(s"CALL colocate.vacuum('$path', 0, true)").head()
      assert(dry.getLong(0) == 1 && dry.getLong(1) == files && dry.getLong(2) > 0)
      assert(read(path, "version" -> "0").count() == 2000)
      assert(sql(s"CALL colocate.vacuum('$path', retention_hours => '0')").head() == dry)
      assert(sql(s"CALL colocate.vacuum('$path', 0.0)").head().getLong(1) == 0)
    }
    assert(sql(s"CALL colocate.vacuum('$path')").head().getLong(1) == 0)
    val short = intercept[Exception](sql(s"CALL colocate.vacuum('$path', 0)"))
    assert(short.getMessage.contains("COLOCATE_TABLE_RETENTION"), short)
    same(numbers(10), read(path))
  }

  test("queries are forgotten, once") {
    val path = asked()
    assert(sql(s"CALL colocate.forget_queries('$path')").head() == Row(20L))
    assert(sql(s"CALL colocate.forget_queries('$path')").head() == Row(0L))
  }

  test("a wrong argument is named, with its value and what is accepted") {
    val path = table()
    def adapt(arguments: String) = refused(s"CALL colocate.adapt('$path', $arguments)")
    assert(adapt(
      "budget => 2") == "[COLOCATE_INVALID_ARGUMENT] colocate.adapt: budget is '2'; accepted: " +
      "a number above 0, up to 1.")
    assert(adapt("'much'").contains("budget is 'much'"))
    assert(adapt("write_cost => 0.5").contains(
        "write_cost is '0.5'; accepted: a number from 1.0 to 500.0."))
    assert(adapt("seed => 1.5").contains("seed is '1.5'; accepted: a whole number."))
    assert(adapt("dry_run => 'perhaps'").contains("dry_run is 'perhaps'; accepted: true, false."))
    assert(adapt("planner => 'best'").contains("planner is 'best'; accepted: replan, published."))
    assert(adapt("cost => 1").contains("the argument is 'cost'; accepted: " +
        AdaptCall.parameters.map(_.name).mkString(", ")))
    assert(adapt("1, 8, 0, true, 'replan', NULL, NULL, 7").contains(
        "the number of arguments is 9; accepted: at most 8."))
    assert(adapt("table => 'x'").contains("table is given twice"))
    assert(refused("CALL colocate.adapt('')").contains(
        "table is ''; accepted: the path or the name of a table."))
    assert(refused("CALL colocate.adapt(NULL)").contains("table is missing"))
    assert(refused(s"CALL colocate.vacuum('$path', -1)")
        .contains("retention_hours is '-1'; accepted: a number from 0."))
    assert(refused(s"CALL colocate.compact('$path', 'zstd')")
        .contains("options is 'zstd'; accepted: a map of texts, such as"))
    val missing = intercept[AnalysisException](sql("CALL colocate.adapt()"))
    assert(missing.getCondition == "REQUIRED_PARAMETER_NOT_FOUND" && missing.getMessage.contains(
      "`table`"))
    assert(version(path) == 0)
  }

  test("options that a compaction does not take are refused") {
    val path = table()
    def compact(key: String) =
      intercept[Exception](sql(s"CALL colocate.compact('$path', map('$key', 'x'))")).getMessage
    assert(compact("colour").contains("colour") && compact("colour").contains("compression"))
    assert(compact("operation").contains("operation"))
    assert(compact("joinKey").contains("joinKey"))
  }

  test("a procedure that is not there is refused with those that are") {
    val there =
      "colocate.adapt, colocate.check_view, colocate.compact, colocate.forget_queries, colocate.refresh, " +
        "colocate.set_adapt, colocate.vacuum"
    assert(
      refused("CALL colocate.nothing()") == "[COLOCATE_INVALID_ARGUMENT] CALL: the procedure is " +
        s"'colocate.nothing'; accepted: $there.")
    assert(refused("CALL colocate.db.adapt('t')").contains("'colocate.db.adapt'"))
    assert(refused("DESCRIBE PROCEDURE colocate.nothing").contains(there))
  }

  test("procedures are listed and described") {
    val listed = sql("SHOW PROCEDURES IN colocate").collect()
    assert(listed.map(_.getAs[String]("procedure_name")).toSeq ==
      Seq("adapt", "check_view", "compact", "forget_queries", "refresh", "set_adapt", "vacuum"))
    val described =
      sql("DESCRIBE PROCEDURE colocate.vacuum").collect().map(_.getString(0)).mkString("\n")
    Seq("vacuum", "no version within the retention", "retention_hours",
      "DOUBLE  DEFAULT 168").foreach(text => assert(described.contains(text), described))
  }

  test("a database of the name is as it was, and no setting is changed") {
    assert(spark.conf.getOption("spark.sql.catalog.colocate").isEmpty)
    assert(intercept[AnalysisException](
      sql("SHOW TABLES IN colocate")).getCondition == "SCHEMA_NOT_FOUND")
    sql("CREATE DATABASE colocate")
    try {
      sql("CREATE TABLE colocate.x AS SELECT 1 AS a")
      sql(s"CALL colocate.compact('${table()}')")
      assert(sql("SELECT * FROM colocate.x").head() == Row(1))
      assert(sql("SHOW TABLES IN colocate").count() == 1)
    } finally sql("DROP DATABASE colocate CASCADE")
  }

  test("a user's own catalog of the name stays") {
    val theirs = sessionWith[OtherCatalog]
    assert(theirs.sql("SHOW PROCEDURES IN colocate").count() == 0)
    val error = intercept[Exception](theirs.sql("CALL colocate.adapt('t')"))
    assert(error.getMessage.contains("FAILED_TO_LOAD_ROUTINE"))
    assert(sql("SHOW PROCEDURES IN colocate").count() == 7)
  }

  test("the catalog may be set, as sessions need it in which Spark runs no such rule") {
    val set = sessionWith[ColocateCatalog]
    assert(set.sql(s"CALL colocate.compact('${table()}')").head().isNullAt(0))
    assert(set.sql("SHOW PROCEDURES IN colocate").count() == 7)
    Seq("SHOW TABLES IN colocate", "CREATE TABLE colocate.x AS SELECT 1 AS a",
      "SELECT * FROM colocate.x", "DROP TABLE colocate.x", "CREATE DATABASE colocate.y",
      "SELECT colocate.f(1)").foreach { statement =>
      val error = intercept[AnalysisException](set.sql(statement).collect()).getMessage
      assert(error.contains("colocate") && error.linesIterator.length == 1, statement)
    }
  }

  private def sessionWith[C <: ProcedureCatalog](implicit tag: ClassTag[C]): SparkSession = {
    val session = spark.newSession()
    session.conf.set("spark.sql.catalog.colocate", tag.runtimeClass.getName)
    session
  }
}

/** A catalog of somebody else. */
class OtherCatalog extends ProcedureCatalog {
  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = ()
  override def name: String = "colocate"
  override def listProcedures(namespace: Array[String]): Array[Identifier] = Array.empty
  override def loadProcedure(name: Identifier): UnboundProcedure =
    throw new UnsupportedOperationException(s"no procedure $name")
}
