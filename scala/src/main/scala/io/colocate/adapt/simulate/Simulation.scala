package io.colocate.adapt.simulate

import io.colocate.adapt.cost.SampleRanks
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.RobustTree

/**
 * What one way to follow queries has read and written.
 *
 * @param read      rows, query by query
 * @param rewritten rows after each query
 * @param unchanged rows that each query reads of a table that is never adapted
 */
final case class Followed(
    name: String,
    read: IndexedSeq[Long],
    rewritten: IndexedSeq[Long],
    unchanged: IndexedSeq[Long])

/**
 * Replays queries over rows in memory, by several ways to follow them, without a job.
 *
 * What a query reads is decided by the least and greatest values of all rows in each leaf, as the files of
 * a table would. A planner sees a few of these rows, as it does of a table.
 *
 * @param table   a table's rows, or very many of them
 * @param start   the tree that they lie by at first
 * @param setting what planners know
 * @param only    the ways to replay, by name; all if there is none
 */
final class Simulation(
    table: SampleRanks,
    start: RobustTree,
    setting: Setting,
    only: Set[String] = Set.empty) {

  private def ways: Seq[Way] =
    Simulation.ways(setting).filter(way => only.isEmpty || only(way.name))

  /** Each way beside a table that is never adapted. */
  def replayed(queries: IndexedSeq[Asked]): Seq[Followed] =
    ways.map(way => replay(way, queries.length, (_, at) => queries(at)))

  /** What somebody would do who knows such queries of each phase, and who knows the queries themselves. */
  def known(queries: IndexedSeq[Asked], alike: Seq[IndexedSeq[Asked]]): Followed =
    new KnownPhases(setting, table, start)(Simulation.Known, queries, alike)

  /**
   * The worst that can be asked: of some queries always the one for which the table is worst, as it lies
   * then, against the table that is never adapted. Each way is asked others.
   */
  def worst(pool: IndexedSeq[Asked], length: Int): Seq[Followed] = {
    val first = new MemoryTable(table, start)
    ways.map { way =>
      replay(way, length,
        (now, at) =>
          pool.maxBy(query => now.read(query) / first.read(query).max(1L).toDouble).at(at + 1L))
    }
  }

  private def replay(way: Way, length: Int, next: (MemoryTable, Int) => Asked): Followed = {
    val first = new MemoryTable(table, start)
    val now = new MemoryTable(table, start)
    val steps = (0 until length).foldLeft(Vector.empty[(Asked, Long, Long)]) { (done, at) =>
      val query = next(now, at)
      val read = now.read(query)
      way.ran(now, query)
      val written =
        if ((at + 1) % way.every != 0) 0L
        else
          way.planned(now, done.map(_._1) :+ query).fold(0L) { tree =>
            val change = now.rewrite(tree, query.time)
            way.rewrote(now, change)
            change.replaced.rows
          }
      done :+ ((query, read, written))
    }
    Followed(way.name, steps.map(_._2), steps.map(_._3), steps.map(step => first.read(step._1)))
  }
}

object Simulation {

  val Known: String = "known phases"

  /** The ways that are compared. */
  private[simulate] def ways(setting: Setting): Seq[Way] = {
    val cost = setting.writeCost
    Seq(Never, new Published("published", setting, cost),
      new Published("published 1.5 and 4", setting, 1.5, Some(4.0)),
      new Published("each query", setting.copy(every = 1), 0, window = 1),
      new Replanned("no holdout", setting, holdout = false, debt = false, ledger = false),
      new Replanned("no account", setting, debt = false, ledger = false),
      new Replanned("adapted", setting))
  }
}
