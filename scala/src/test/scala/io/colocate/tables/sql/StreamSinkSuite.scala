package io.colocate.tables.sql

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.streaming.Trigger

class StreamSinkSuite extends TableSession {

  private def run(
      input: MemoryStream[Long],
      path: String,
      checkpoint: String,
      leafRows: Int = 20): Unit =
    input.toDF().selectExpr("value AS a", "value % 10 AS b").writeStream.format("colocate")
      .option("checkpointLocation", checkpoint).option("maxLeafRows", leafRows)
      .trigger(Trigger.AvailableNow()).start(path).awaitTermination()

  private def stream(): MemoryStream[Long] = {
    val session = spark
    import session.implicits._
    MemoryStream[Long](session)
  }

  test("batches are appended, each once, and pruned like all else") {
    val (path, checkpoint) = (fresh(), fresh())
    val input = stream()
    input.addData(0L until 100L)
    run(input, path, checkpoint)
    input.addData(100L until 150L)
    run(input, path, checkpoint)
    assert(read(path).count() == 150 && read(path).distinct().count() == 150)
    assert(log(path).snapshot().batches.size == 1)
    val query = read(path).where("a < 5")
    assert(query.count() == 5 && scan(query).keptFiles < scan(query).files)
  }

  test("a batch that comes again is passed over") {
    val (path, checkpoint) = (fresh(), fresh())
    val input = stream()
    input.addData(0L until 10L)
    run(input, path, checkpoint)
    // The process died after the table's commit and before Spark's: the batch is run again.
    val commits = java.nio.file.Paths.get(checkpoint, "commits")
    java.nio.file.Files.list(commits).forEach(file => java.nio.file.Files.delete(file))
    run(input, path, checkpoint)
    assert(read(path).count() == 10)
  }

  test("a query that was killed while it made the table starts again, but not where others write") {
    val (begun, taken) = (fresh(), fresh())
    val (input, other) = (stream(), stream())
    Seq(input, other).foreach(_.addData(0L until 10L))
    leave(s"$begun/_robust_log/.00000000000000000000.json.tmp")
    run(input, begun, fresh())
    assert(read(begun).count() == 10)
    leave(s"$taken/part-0.parquet")
    assert(failure(run(other, taken, fresh())).getMessage.contains("COLOCATE_TABLE_PATH_TAKEN"))
  }

  test("another layout than the table's is refused, and nothing is written") {
    val (path, checkpoint) = (fresh(), fresh())
    val input = stream()
    input.addData(0L until 10L)
    run(input, path, checkpoint)
    input.addData(10L until 20L)
    val e = failure(run(input, path, checkpoint, leafRows = 30))
    assert(
      e.toString.contains("COLOCATE_TABLE_INVALID_OPTION") && e.toString.contains("maxLeafRows"))
    assert(version(path) == 1 && read(path).count() == 10)
    run(input, path, checkpoint)
    assert(read(path).count() == 20)
  }

  private def leave(file: String): Unit = {
    val path = java.nio.file.Paths.get(file)
    java.nio.file.Files.createDirectories(path.getParent)
    java.nio.file.Files.createFile(path)
  }

  test("what is no append is refused, before anything is written") {
    for (other <- Seq("replaceWhere" -> "a < 5", "operation" -> "compact",
        "RetentionHours" -> "1")) {
      val path = fresh()
      val e = failure(stream().toDF().writeStream.format("colocate").option(other._1, other._2)
          .option("checkpointLocation", fresh()).start(path))
      Seq("COLOCATE_TABLE_INVALID_OPTION", other._2, "no stream").foreach(part =>
        assert(e.toString.contains(part), e))
      assert(!java.nio.file.Files.exists(java.nio.file.Paths.get(path)))
    }
  }

  test("an output mode other than append is refused") {
    val e = failure(stream().toDF().groupBy("value").count().writeStream.format("colocate")
        .outputMode("complete").option("checkpointLocation", fresh()).start(fresh()))
    assert(e.getMessage.contains("COLOCATE_TABLE_NOT_SUPPORTED"))
  }
}
