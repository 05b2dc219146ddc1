package io.colocate.tables.sql

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream

/** Writes of other formats do not reach the folder of a table. */
class ForeignWritesSuite extends TableSession {

  private def refused(path: String)(body: => Any): Unit = {
    val e = failure(body)
    Seq("COLOCATE_TABLE_NOT_SUPPORTED", "format(\"colocate\")").foreach(part =>
      assert(e.getMessage.contains(part), e))
    same(numbers(50), read(path))
  }

  test("other formats are refused, in every mode and by every way") {
    val path = create(numbers(50))
    for (format <- Seq("parquet", "orc", "json", "csv"); mode <- Seq("append", "overwrite")) {
      val rows = numbers(5).select("a", "s")
      refused(path)(rows.write.format(format).mode(mode).save(path))
      refused(path)(rows.write.format(format).mode(mode).option("path", path)
          .saveAsTable("foreign_one"))
    }
    refused(path)(sql(s"INSERT OVERWRITE DIRECTORY '$path' USING parquet SELECT 1 AS x"))
    sql(s"CREATE TABLE foreign_two (a BIGINT) USING parquet LOCATION '$path'")
    refused(path)(sql("INSERT INTO foreign_two VALUES (1)"))
    refused(path)(sql("INSERT OVERWRITE foreign_two VALUES (1)"))
    sql("DROP TABLE foreign_two")
    same(numbers(50), read(path))
  }

  test("a stream of files is refused") {
    val path = create(numbers(50))
    val session = spark
    import session.implicits._
    val input = MemoryStream[Long](session)
    refused(path)(input.toDF().writeStream.format("parquet")
        .option("checkpointLocation", fresh()).start(path).stop())
  }

  test("writes elsewhere are left alone, and so are ours") {
    val (path, plain) = (create(numbers(50)), fresh())
    numbers(5).write.parquet(plain)
    numbers(5).write.mode("overwrite").parquet(plain)
    sql(s"INSERT OVERWRITE DIRECTORY '$plain' USING parquet SELECT 1 AS x")
    assert(spark.read.parquet(plain).count() == 1)
    sql(s"CREATE TABLE foreign_ours USING colocate LOCATION '$path'")
    sql("INSERT INTO foreign_ours SELECT * FROM foreign_ours")
    assert(read(path).count() == 100)
  }
}
