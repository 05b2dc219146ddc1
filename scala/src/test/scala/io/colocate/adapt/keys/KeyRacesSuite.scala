package io.colocate.adapt.keys

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.StreamBatch
import io.colocate.tables.operations.{Compact, ReplaceWhere, TableWriter}

/**
 * Moving to another key beside other writes, each of the two first. The user's write never fails because
 * of it, no row is lost, and none is there twice.
 */
class KeyRacesSuite extends JoinedTables {

  private lazy val begun: String = {
    val path = create(someItems(6000), "joinKey" -> "l_key", "maxLeafRows" -> "800")
    write(someItems(200, from = 6000), path, "append")
    ask(path, parts = 9)
    path
  }

  private def here = someItems(6200)
  private def more = someItems(70, from = 9000)

  private class Work(val name: String, val after: () => DataFrame)(val run: TableLog => Unit)

  private def writer(log: TableLog) = new TableWriter(spark.asInstanceOf[SparkSession], log)

  private val works =
    Seq(new Work("an append", () => here.union(more))(writer(_).append(rows(more), Map.empty)),
      new Work("a batch of a stream", () => here.union(more))(writer(_).append(rows(more),
        Map.empty, Some(StreamBatch("s", 1)))),
      new Work("an overwrite", () => someItems(3000))(log =>
        writer(log).overwrite(log.snapshot(), rows(someItems(3000)), Map.empty)),
      new Work("replaceWhere", () => here.where("l_price >= 5"))(log =>
        new ReplaceWhere(spark.asInstanceOf[SparkSession], log)(log.snapshot(), rows(someItems(0)),
          "l_price < 5", Map.empty)),
      new Work("TRUNCATE", () => someItems(0))(writer(_).truncate()),
      new Work("a compaction", () => here)(log =>
        new Compact(spark.asInstanceOf[SparkSession], log)(Map.empty)))

  private def moved(path: String): Unit = {
    val report = adapted(path)
    assert(report.joinKey.nonEmpty && report.version.nonEmpty, report)
  }

  for (work <- works) {
    test(s"${work.name}, overtaken by a move") {
      val path = copy(begun)
      overtaken(path, () => moved(path))(work.run)
      holds(work.after(), path)
      assert(orphans(path).isEmpty)
    }

    test(s"a move, overtaken by: ${work.name}") {
      val path = copy(begun)
      overtaken(path, () => inQuery(work.run(log(path))))(adapt)
      holds(work.after(), path)
      assert(orphans(path).isEmpty)
    }

    test(s"${work.name}, overtaken by all steps of a move") {
      val path = copy(begun)
      def steps(): Unit = (1 to 6).foreach(step =>
        if (step == 1 || log(path).snapshot().trees.length > 1)
          assert(adapted(path, eager.copy(budget = 0.3)).version.nonEmpty))
      overtaken(path, () => steps())(work.run)
      holds(work.after(), path)
      assert(orphans(path).isEmpty && log(path).snapshot().trees.length == 1)
    }
  }

  test("an append that a move and the way back overtake: its rows are there, and are routed then") {
    val path = copy(begun)
    overtaken(path,
      () => {
        moved(path)
        ask(path, orders = 20)
        moved(path)
      })(works.head.run)
    holds(here.union(more), path)
    val before = log(path).snapshot()
    assert(before.astray(before.trees.last).nonEmpty)
    inQuery(new Compact(spark.asInstanceOf[SparkSession], log(path))(Map.empty))
    val after = log(path).snapshot()
    assert(after.astray(after.trees.last).isEmpty)
    holds(here.union(more), path)
  }

  test("two moves at the same time: one is made, and all rows are there") {
    val path = copy(begun)
    val slower = overtaken(path, () => moved(path))(adapt)
    assert(slower.version.isEmpty && log(path).snapshot().trees.map(_.id) == Seq(1))
    holds(here, path)
  }
}
