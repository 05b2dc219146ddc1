package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.SampleRanks
import io.colocate.adapt.simulate.{Followed, Setting, Simulation}
import io.colocate.adapt.window.Asked
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.{Transaction, WriteStep}
import io.colocate.tables.queries.AskedQuery
import io.colocate.tables.tree.{CutColumn, Sample}
import io.colocate.tables.write.DrawSample

/**
 * What would have happened had a table followed some queries, from how it lies now. Its rows, or so many
 * of them, are read once; nothing is written.
 *
 * @param rows   the most rows that take the place of the table
 * @param sample the most of them that a planner sees
 * @param every  how many queries run between two times that a planner is asked
 * @param only   the ways to follow queries, by name; all if there is none
 */
final class SimulateAdapt(
    session: SparkSession,
    log: TableLog,
    options: AdaptOptions,
    rows: Int,
    sample: Int,
    every: Int,
    only: Set[String]) {

  private val base = log.snapshot()
  private val tree = base.trees.maxByOption(_.id)

  /**
   * @param queries the filters of each, in the order in which they run
   * @param alike   for each phase queries of the same kinds, for what somebody could do who knows these
   */
  def replayed(queries: Seq[AskedQuery], alike: Seq[Seq[AskedQuery]]): Seq[Followed] = {
    val run = asked(queries).zipWithIndex.map { case (query, at) => query.at(at + 1L) }
    simulation.toSeq.flatMap { simulation =>
      simulation.replayed(run) ++
        Option.when(alike.nonEmpty)(simulation.known(run, alike.map(asked)))
    }
  }

  /** Of these queries always the worst one, so many times. */
  def worst(queries: Seq[AskedQuery], length: Int): Seq[Followed] =
    simulation.toSeq.flatMap(_.worst(asked(queries), length))

  private def asked(queries: Seq[AskedQuery]): IndexedSeq[Asked] =
    queries.flatMap(Asked(_, base.schema)).toIndexedSeq

  private lazy val simulation: Option[Simulation] = tree.map { tree =>
    val columns = CutColumn.among(base.schema)
    val drawn = draw(columns)
    val cuts = new CutOptions(session, base)
    val seen = new SampleRanks(drawn.copy(rows = drawn.rows.take(sample)), base.schema)
    val setting = Setting(seen, cuts.weights(columns), cuts.joinKey.toSet, options.cost,
      options.windows, (options.budget * drawn.rows.length).toLong.max(1),
      drawn.rows.length.toDouble / tree.leaves.length, every)
    new Simulation(new SampleRanks(drawn, base.schema), tree, setting, only)
  }

  /** The rows come in the order of random numbers, so the first ones are a sample too. */
  private def draw(columns: IndexedSeq[CutColumn]): Sample =
    WriteStep(session, log.path, "drawing a sample of") {
      val transaction = new Transaction(session, log)
      val all = transaction.rows(transaction.read(base, base.files.indices))
      DrawSample(all, columns, rows, options.seed).sample
    }
}
