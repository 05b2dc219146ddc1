package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.change.{PublishedPlanner, Replan}
import io.colocate.adapt.cost.{FileReads, SampleRanks}
import io.colocate.adapt.ledger.Price
import io.colocate.adapt.window.{Asked, Window}
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.{Transaction, WriteStep}
import io.colocate.tables.scan.AskedQueries
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{CutColumn, RobustTree}
import io.colocate.tables.write.DrawSample

/**
 * Finds out whether and how a table should be adapted to the queries that this driver has run on it. A
 * sample of the table is read if something may be worth it.
 */
final class AdaptPlanner(session: SparkSession, log: TableLog, options: AdaptOptions) {

  import AdaptPlanner._

  private val transaction = new Transaction(session, log)

  def plan(): AdaptPlan = {
    val base = log.snapshot()
    val asked = AskedQueries.of(log.path).flatMap(Asked(_, base.schema)).toIndexedSeq
    val all = Window(asked).newest(options.windows.max)
    val report = AdaptReport(None, all.length, 0, base.files.totalRows, 0, 0, None, None)
    def declined(reason: Reason) = AdaptPlan(base, None, report.copy(reason = Some(reason)))
    if (base.metadata.replicated) declined(Reason(AdaptReasons.AdaptReplicas))
    else if (all.length < FewestQueries)
      declined(Reason(AdaptReasons.AdaptTooFewQueries, "queries" -> s"${all.length}",
        "fewest" -> s"$FewestQueries"))
    else
      base.trees.maxByOption(_.id).filter(_.leaves.length > 1) match {
        case None => declined(Reason(AdaptReasons.AdaptNoGain))
        case Some(tree) =>
          tree.cuts.find(cut => !base.metadata.types.get(cut.column).contains(cut.dataType)) match {
            case Some(old) =>
              declined(Reason(AdaptReasons.AdaptColumnsChanged, "column" -> old.column))
            case None => new OfTree(base, tree, all).plan(report)
          }
      }
  }

  /** The newest tree, which new rows are routed by. */
  final private class OfTree(base: Snapshot, tree: RobustTree, all: Window) {

    private val cuts = new CutOptions(session, base)
    private val present = new FileReads(base, tree)
    private val rows = present.rows(tree.root)
    private val most = (options.budget * rows).toLong.max(1)

    def plan(report: AdaptReport): AdaptPlan = {
      val now = share(all)
      def declined(reason: Reason) = AdaptPlan(base, None,
        report.copy(readShare = now, readShareAfter = now, reason = Some(reason)))
      if (now == 0) declined(Reason(AdaptReasons.AdaptNoGain))
      else if (!mayPay) declined(tooDear)
      else {
        val tries = changes
        tries.collectFirst { case Right(change) => change } match {
          case Some(change) if change.rewritten <= most =>
            AdaptPlan(base, Some(change), told(report, change))
          case Some(_) => declined(tooDear)
          case None => declined(tries.collectFirst { case Left(reason) => reason }.get)
        }
      }
    }

    private def share(window: Window): Double =
      window.queries.iterator.map(present.read(_, tree.root)).sum.toDouble /
        window.length / rows.max(1)

    /** Without a sample: whatever was read of rows since they were written might have been saved. */
    private def mayPay: Boolean = options.published || tree.leaves.exists { leaf =>
      val fresh = all.after(present.written(leaf)).map(all.queries)
      fresh.iterator.map(present.read(_, leaf)).sum > options.writeCost * present.rows(leaf)
    }

    private def tooDear: Reason = tooDear(mostSaving)

    private def tooDear(needed: Int): Reason = Reason(AdaptReasons.AdaptPrice,
      "queries" -> s"${all.length}", "cost" -> s"${options.writeCost}", "needed" -> s"$needed")

    /** After how many such queries some rows have been read as often as rewriting them costs. */
    private def mostSaving: Int = tree.leaves.iterator.flatMap { leaf =>
      val fresh = all.after(present.written(leaf)).map(all.queries)
      val read = fresh.iterator.map(present.read(_, leaf)).sum
      Option.when(read > 0)(fresh.length * options.writeCost * present.rows(leaf) / read)
    }.minOption.fold(Int.MaxValue)(_.ceil.toInt)

    /** For each window what is worth it, or why nothing is. */
    private def changes: LazyList[Either[Reason, TreeChange]] = {
      val columns = sampled
      val ranks = new SampleRanks(sample(columns), base.schema)
      val weights = cuts.weights(columns)
      options.windows.to(LazyList).map { length =>
        val window = all.newest(length)
        if (options.published) published(window, ranks, weights)
        else replanned(window, ranks, weights)
      }
    }

    private def replanned(
        window: Window,
        ranks: SampleRanks,
        weights: Map[String, Double]): Either[Reason, TreeChange] = {
      val replan = new Replan(tree, window, present, ranks, weights, Price(options.writeCost), most,
        rows.toDouble / tree.leaves.length, cuts.joinKey.toSet)
      val choices = replan.choices
      val saved = choices.map(_.saved).sum
      val after = tree.withRoot(replan.changed(choices))
      if (choices.nonEmpty) Right(TreeChange(tree, after, window, present, saved))
      else if (replan.isNotRepeated) Left(Reason(AdaptReasons.AdaptNotRepeated))
      else Left(tooDear(replan.queriesToPay.getOrElse(mostSaving)))
    }

    private def published(
        window: Window,
        ranks: SampleRanks,
        weights: Map[String, Double]): Either[Reason, TreeChange] = {
      val perRow = rows.toDouble / ranks.sample.rows.length.max(1)
      val planner = new PublishedPlanner(ranks, options.writeCost, perRow, weights.keySet)
      val planned = planner(tree.root, window)
      val change =
        TreeChange(tree, tree.withRoot(planned.node), window, present, planned.benefit)
      if (change.isNone) Left(tooDear) else Right(change)
    }

    /** The sample is routed by the tree, so it has all columns that the tree cuts. */
    private def sampled: IndexedSeq[CutColumn] = {
      val filtered = all.queries.flatMap(_.columns).map(base.schema(_).name).toSet
      val wanted = filtered ++ tree.columns ++ cuts.named
      CutColumn.among(base.schema.filter(field => wanted(field.name)))
    }

    private def sample(columns: IndexedSeq[CutColumn]) =
      WriteStep(session, log.path, "drawing a sample of") {
        val read = transaction.rows(transaction.read(base, present.files(tree.leafIds)))
        DrawSample(read, columns, SampleRows, options.seed).sample
      }

    private def told(report: AdaptReport, change: TreeChange): AdaptReport = {
      val now = share(change.window)
      val saved = change.saved / change.window.length
      report.copy(queries = change.window.length, rewritten = change.rewritten, readShare = now,
        readShareAfter = (now - saved / rows.max(1)).max(0),
        price = Some(options.writeCost * change.rewritten / saved))
    }
  }
}

object AdaptPlanner {

  /** Of fewer, none can be known to come again. */
  private val FewestQueries = 4

  private val SampleRows = 20000
}
