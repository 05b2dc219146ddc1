package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.streaming.Trigger

import io.colocate.testing.EveryOther

/** A table that begins with no rows, or with a few, is cut once there are enough. */
class FirstRowsSuite extends TableSession with EveryOther {

  private val few = "maxLeafRows" -> "100"

  private def leaves(path: String): Int = log(path).snapshot().trees.map(_.leaves.length).sum

  private def compact(path: String): Unit =
    write(numbers(0), path, "append", "operation" -> "compact")

  private def cut(path: String, rows: DataFrame): Unit = {
    assert(leaves(path) >= 10)
    same(rows, read(path))
    val query = read(path).where("a < 50")
    same(rows.where("a < 50"), query)
    assert(scan(query).keptFiles < scan(query).files * 0.8)
  }

  test("a save of no rows, then an append") {
    val path = create(numbers(0), few)
    assert(leaves(path) == 1)
    write(numbers(2000), path, "append")
    cut(path, numbers(2000))
    assert(log(path).snapshot().files.forall(_.leaf.nonEmpty))
  }

  test("an overwrite by no rows, a truncation, then appends") {
    val path = create(numbers(3000), few)
    write(numbers(0), path, "overwrite")
    write(numbers(2000), path, "append")
    cut(path, numbers(2000))
    spark.sql(s"CREATE TABLE truncated USING colocate LOCATION '$path'")
    spark.sql("TRUNCATE TABLE truncated")
    write(numbers(1500), path, "append")
    cut(path, numbers(1500))
    spark.sql("DROP TABLE truncated")
  }

  test("one row first: the rows that were there are led into the tree by a compaction") {
    val path = create(numbers(1), few)
    write(numbers(1), path, "append")
    assert(leaves(path) == 1)
    write(numbers(2000), path, "append")
    val rows = numbers(1).union(numbers(1)).union(numbers(2000))
    cut(path, rows)
    assert(log(path).snapshot().files.count(_.leaf.isEmpty) == 2)
    compact(path)
    cut(path, rows)
    assert(log(path).snapshot().files.forall(_.leaf.nonEmpty))
  }

  test("many appends that are each too small for a cut: a compaction cuts") {
    val path = create(numbers(50), few)
    (1 to 9).foreach(i => write(numbers(90, from = 1000 * i), path, "append"))
    val rows = (1 to 9).map(i => numbers(90, from = 1000 * i)).foldLeft(numbers(50))(_ union _)
    assert(leaves(path) == 1)
    compact(path)
    assert(leaves(path) >= 8)
    same(rows, read(path))
    assert(log(path).snapshot().files.map(_.rows).max <= 200)
    val before = version(path)
    compact(path)
    assert(version(path) == before, "there was nothing left to do")
  }

  test("a leaf that grew is cut, and the others stay as they are") {
    val path = create(numbers(1000), few, "joinKey" -> "a", "joinLevels" -> "4")
    val before = log(path).snapshot()
    (0 until 12).foreach(_ => write(numbers(60), path, "append"))
    val rows = (0 until 12).foldLeft(numbers(1000))((all, _) => all.union(numbers(60)))
    compact(path)
    val after = log(path).snapshot()
    same(rows, read(path))
    val (old, now) = (before.trees.head, after.trees.head)
    assert(now.id == old.id && now.leaves.length > old.leaves.length)
    // No number of a leaf is used for another one.
    val gone = old.leafIds.toSet -- now.leafIds
    assert(gone.nonEmpty && (now.leafIds.toSet -- old.leafIds).min > old.leafIds.max)
    assert(before.files.count(file => after.files.exists(_.path == file.path)) > 3)
    cut(path, rows)
  }

  test("equal rows have no cut: a compaction gathers them, and does so once") {
    val rows = spark.range(50).selectExpr("1 AS a", "'x' AS s")
    val path = create(rows, few)
    (1 to 6).foreach(_ => write(rows, path, "append"))
    compact(path)
    val done = log(path).snapshot()
    assert(leaves(path) == 1 && done.files.length == 1 && done.files.totalRows == 350)
    compact(path)
    assert(version(path) == done.version)
  }

  test("copies of a table that began without rows are cut each by its columns") {
    val path = create(numbers(0), few, "replicas" -> "2")
    write(numbers(2000), path, "append")
    assert(log(path).snapshot().trees.length == 2)
    cut(path, numbers(2000))
    (0 until 5).foreach(_ => write(numbers(80), path, "append"))
    compact(path)
    same((0 until 5).foldLeft(numbers(2000))((all, _) => all.union(numbers(80))), read(path))
  }

  test("a stream whose first batch is empty") {
    val session = spark
    import session.implicits._
    val input = MemoryStream[Long](session)
    val path = fresh()
    val rows = input.toDF().selectExpr("value AS a", "value % 10 AS b")
    def run(): Unit = rows.writeStream.format("colocate").options(Map(few))
      .option("checkpointLocation", scratch("first-batch")).trigger(Trigger.AvailableNow())
      .start(path).awaitTermination()
    input.addData(Seq.empty[Long])
    run()
    input.addData(0L until 2000L)
    run()
    assert(leaves(path) >= 10 && read(path).count() == 2000)
  }
}
