package io.colocate.tables.sql

import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.FileTime
import java.text.Normalizer

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.functions.input_file_name
import org.apache.spark.sql.streaming.Trigger

import io.colocate.tables.format.DataFileName
import io.colocate.testing.{EveryOther, Nightly}

/** Tables in folders of every name that the file system allows, by every way to name them. */
class PathsSuite extends TableSession with EveryOther {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.shuffle.partitions" -> "2")

  private val composed = Normalizer.normalize("é", Normalizer.Form.NFC)
  private val decomposed = Normalizer.normalize("é", Normalizer.Form.NFD)

  private val names = Seq(" a b ", "100%20+c", "a#b?c=d&e", "a[1]{1,2}", "[{*", "a,b;c:d",
    "it's \"b\" `c`", "a\\b\tc", s"$composed😀٣", decomposed, "_temporary", ".hidden", "~$HOME",
    "x" * 255)

  // All signs, between them.
  private val few = Seq("a%20 b+c#d?e[1]{2}*", "a,b;c:d=e'f`g\"h\\i", s"$composed😀")

  private def folder(name: String): String = {
    val parent = Paths.get(scratch("paths"))
    Files.createDirectories(parent)
    s"$parent/$name"
  }

  private def literal(text: String): String =
    "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

  private def quoted(text: String): String = "`" + text.replace("`", "``") + "`"

  private def rows(from: Int) = numbers(60, from)

  // The worst of them first.
  for ((name, i) <- (few ++ names).zipWithIndex)
    test(s"a table in a folder named '${name.take(20)}'", Nightly.turn(i, every = 4): _*) {
      val path = folder(name)
      write(rows(0), path, "error", "joinKey" -> "a", "maxLeafRows" -> "20")
      write(rows(60), path, "append")
      same(numbers(120), read(path))
      assert(read(path).where("a < 5").count() == 5)
      same(numbers(120), sql(s"SELECT * FROM colocate.${quoted(path)}"))
      assert(sql(s"SELECT * FROM colocate.${quoted(path)} VERSION AS OF 0").count() == 60)
      write(rows(0), path, "overwrite", "replaceWhere" -> "a < 60")
      withLocation(path)
      functions(path)
      write(spark.range(0).toDF("a"), path, "append", "operation" -> "compact")
      same(numbers(120), read(path))
      vacuums(path)
      same(numbers(120), read(path))
      assert(read(path).select(input_file_name()).distinct().collect().length > 0)
    }

  private def withLocation(path: String): Unit = {
    sql(s"CREATE TABLE named USING colocate LOCATION ${literal(path)}")
    try {
      sql("INSERT INTO named SELECT a + 1000, b, c, s FROM named WHERE a < 3")
      assert(sql("SELECT * FROM named WHERE a >= 1000").count() == 3)
      assert(read(path).count() == 123)
      numbers(120).createOrReplaceTempView("rows_before")
      sql("INSERT OVERWRITE named TABLE rows_before")
      same(numbers(120), sql("SELECT * FROM named"))
      sql("ANALYZE TABLE named COMPUTE STATISTICS")
    } finally sql("DROP TABLE named")
  }

  private def functions(path: String): Unit = {
    def call(function: String) = sql(s"SELECT * FROM $function(${literal(path)})")
    assert(call("colocate_table_history").count() == 5)
    assert(call("colocate_table_tree").count() > 1 && call("colocate_table_files").count() > 1)
    assert(call("colocate_table_stats").head().getAs[Long]("rows") == 120)
    assert(call("colocate_table_path").head().getString(0) == log(path).path.toString)
  }

  private def vacuums(path: String): Unit = {
    val old = FileTime.fromMillis(0)
    val stray = Paths.get(path, DataFileName(0, ".parquet"))
    Files.write(stray, Array[Byte](1))
    Files.setLastModifiedTime(stray, old)
    val orphans = sql(s"SELECT path FROM colocate_table_orphans(${literal(path)})").collect()
    assert(values(orphans.toSeq) == Set(stray.getFileName.toString))
    write(spark.range(0).toDF("a"), path, "append", "operation" -> "vacuum")
    assert(!Files.exists(stray))
  }

  for ((name, i) <- few.zipWithIndex)
    test(s"tables joined, sharing cuts, beside one another below '${name.take(20)}'",
      Nightly.turn(i, every = 3): _*) {
      val home = folder(name.take(250) + "-j")
      val (one, two, three) = (s"$home/one", s"$home/$name", s"$home/three")
      def made(path: String, option: (String, String)): Unit =
        write(numbers(400), path, "error", "joinKey" -> "a", "maxLeafRows" -> "50", option)
      made(one, "cutRegistry" -> "shared")
      made(two, "cutRegistry" -> s"$home/shared")
      made(three, "joinCuts" -> two)
      assert(Files.exists(Paths.get(home, "_shared.cuts.json")))
      for (other <- Seq(two, three)) {
        val joined = withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1",
          "spark.colocate.hyperjoin.mode" -> "force") {
          val query = read(one).join(read(other).select("a"), "a")
          val plan = query.queryExecution.executedPlan.toString
          assert(plan.contains("ColocateHyperScan"), plan)
          query.collect()
        }
        assert(joined.length == 400)
      }
      val days = spark.range(400).selectExpr("id AS d", "id % 100 AS week")
      assert(read(one).join(days.where("week = 7").toDF("a", "week"), "a").count() == 4)
    }

  for ((name, i) <- few.zipWithIndex)
    test(s"a stream into, and a checkpoint in, a folder named '${name.take(20)}'",
      Nightly.turn(i, every = 3): _*) {
      val session = spark
      import session.implicits._
      val home = folder(name.take(250) + "-s")
      val input = MemoryStream[Long](session)
      for (round <- 0 to 1) {
        input.addData(10L * round until 10L * round + 10)
        input.toDF().writeStream.format("colocate").option("checkpointLocation", s"$home/$name")
          .trigger(Trigger.AvailableNow())
          .start(s"$home/table").awaitTermination()
      }
      assert(read(s"$home/table").distinct().count() == 20)
    }

  test("composed and decomposed letters are two folders") {
    val (one, two) = (folder(s"$composed!"), folder(s"$decomposed!"))
    write(numbers(1), one, "error")
    write(numbers(2), two, "error")
    assert(read(one).count() == 1 && read(two).count() == 2)
  }

  test("one folder by several paths is one table") {
    val path = folder("plain table")
    write(rows(0), path, "error", "maxLeafRows" -> "20")
    val link = Files.createSymbolicLink(Path.of(folder("li nk")), Path.of(path)).toString
    val here = Paths.get("").toAbsolutePath.relativize(Paths.get(path)).toString
    val spellings = Seq(path + "/", path + "//", s"file:$path", s"file://$path", s"$link/", link,
      s"$path/../plain table", s"$path/.", path.replace("/paths/", "//paths/"), here, s"./$here")
    for ((spelling, i) <- spellings.zipWithIndex) {
      write(rows(60 * (i + 1)), spelling, "append")
      for (other <- Seq(path, spellings((i + 1) % spellings.size),
          spellings((i + 4) % spellings.size)))
        assert(read(other).count() == 60 * (i + 2), (spelling, other))
    }
    write(spark.range(0).toDF("a"), link, "append", "operation" -> "compact")
    vacuums(link)
    same(numbers(60 * (spellings.length + 1)), read(path))
  }

  test("errors name the folder as the user wrote it") {
    for (name <- Seq("a b", "a%20b", "a[1]", "é")) {
      val missing = folder(s"missing $name")
      assert(failure(read(missing)).getMessage.contains(s"missing $name"))
      assert(failure(sql(s"SELECT * FROM colocate_table_stats(${literal(missing)})").collect())
          .getMessage.contains(s"missing $name"))
    }
  }

  test("an empty path is refused") {
    for (path <- Seq("", " ")) {
      val e = failure(write(numbers(1), path, "error")).getMessage
      assert(e.contains("the path of a table") && e.contains("INVALID_OPTION"), e)
    }
  }

  test("a table of the session's catalog may be named with its catalog") {
    sql("CREATE TABLE shop USING colocate AS SELECT id FROM range(10)")
    for (name <- Seq("shop", "default.shop", "spark_catalog.default.shop", "`default`.`shop`"))
      assert(sql(s"SELECT rows FROM colocate_table_stats('$name')").head().getLong(0) == 10)
    assert(failure(sql("SELECT * FROM colocate_table_stats('a.b.c.d')").collect())
        .getMessage.contains("a.b.c.d"))
  }
}
