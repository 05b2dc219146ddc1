package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.change.{PublishedPlanner, Replan}
import io.colocate.adapt.cost.{PresentReads, SampleRanks}
import io.colocate.adapt.window.{Asked, Window}
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.{LayoutSpace, TableLog}
import io.colocate.tables.operations.{TableOptions, Transaction, WriteStep}
import io.colocate.tables.scan.AskedQueries
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{CutColumn, Node, RobustTree}
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

    private val layout = TableOptions.parse(base.metadata.options)
    private val joinKey = layout.joinKey.map(spelled)
    private val weighed = layout.weights.map { case (name, weight) => spelled(name) -> weight }
    private val present = new PresentReads(base, tree, all.queries)
    private val rows = present.rows(tree.root)
    private val most = (options.budget * base.files.totalRows).toLong.max(1)

    def plan(report: AdaptReport): AdaptPlan = {
      val now = share(all, present)
      def declined(reason: Reason) = AdaptPlan(base, None,
        report.copy(readShare = now, readShareAfter = now, reason = Some(reason)))
      if (now == 0) declined(Reason(AdaptReasons.AdaptNoGain))
      else if (!mayPay) declined(tooDear)
      else if (lacksSpace(1)) declined(noSpace(1))
      else {
        val tries = changes.map(_.map(gathering))
        tries.collectFirst { case Right(change) => change } match {
          case Some(change) if lacksSpace(bytes(change)) => declined(noSpace(bytes(change)))
          case Some(change) if change.rewritten <= most =>
            AdaptPlan(base, Some(change), told(report, change))
          case Some(_) => declined(tooDear)
          case None => declined(tries.collectFirst { case Left(reason) => reason }.get)
        }
      }
    }

    /** A compaction would write files without a leaf as well: as many go along as the budget allows. */
    private def gathering(change: TreeChange): TreeChange = {
      val astray = if (change.files.isEmpty) IndexedSeq.empty else base.astray(tree)
      val sums = astray.scanLeft(change.rewritten)(_ + base.files.rows(_)).tail
      change.copy(gathered = astray.take(sums.count(_ <= most)))
    }

    /** So many leaves there were, or should be by now where appends have made them too large. */
    private def leaves(node: Node): Int = node.leaves.iterator.map { leaf =>
      val times = layout.maxLeafRows match {
        case Some(most) => present.rows(leaf).toDouble / most
        case None => present.bytes(leaf).toDouble / layout.targetFileBytes
      }
      if (times > TooMany) times.ceil.toInt else 1
    }.sum

    /** A name of an option as the schema spells it. */
    private def spelled(name: String): String = {
      val same = session.sessionState.conf.resolver
      val fields = base.schema.fieldNames
      fields.find(_ == name).orElse(fields.find(same(_, name))).getOrElse(name)
    }

    private def share(window: Window, reads: PresentReads): Double =
      window.queries.indices.iterator.map(reads.read(_, tree.root)).sum.toDouble /
        window.length / rows.max(1)

    /** Without a sample: whatever was read of rows since they were written might have been saved. */
    private def mayPay: Boolean = options.published || tree.leaves.exists { leaf =>
      val fresh = all.after(present.written(leaf))
      fresh.iterator.map(present.read(_, leaf)).sum > options.writeCost * present.rows(leaf)
    }

    private val mostOlder = (options.space * base.files.totalBytes).toLong
    private lazy val older = LayoutSpace(log, base, mostOlder)

    private def bytes(change: TreeChange): Long = change.files.iterator.map(base.files.bytes).sum

    /** Files stay for older versions when their rows are rewritten, until there is a vacuum. */
    private def lacksSpace(more: Long): Boolean = more > 0 && older + more > mostOlder

    private def noSpace(more: Long): Reason = Reason(AdaptReasons.AdaptSpace, "older" -> s"$older",
      "more" -> s"$more", "bytes" -> s"$mostOlder")

    private def tooDear: Reason = Reason(AdaptReasons.AdaptPrice, "queries" -> s"${all.length}",
      "cost" -> s"${options.writeCost}")

    /** For each window what is worth it, or why nothing is. */
    private def changes: LazyList[Either[Reason, TreeChange]] = {
      val columns = sampled
      val ranks = new SampleRanks(sample(columns), base.schema)
      val weights = columns.map(_.name).filterNot(joinKey.contains)
        .filter(name => layout.columns.forall(_.map(spelled).contains(name)))
        .map(name => name -> weighed.getOrElse(name, 1.0)).toMap
      options.windows.to(LazyList).map { length =>
        val window = all.newest(length)
        val reads = new PresentReads(base, tree, window.queries)
        if (options.published) published(window, reads, ranks, weights)
        else replanned(window, reads, ranks, weights)
      }
    }

    private def replanned(
        window: Window,
        reads: PresentReads,
        ranks: SampleRanks,
        weights: Map[String, Double]): Either[Reason, TreeChange] = {
      val replan = new Replan(tree, window, reads, ranks, weights, options.writeCost, most,
        joinKey.toSet, leaves)
      val choices = replan.choices
      val saved = choices.map(choice => choice.saved.min(choice.held)).sum
      val after = tree.withRoot(replan.changed(choices))
      if (choices.nonEmpty) Right(TreeChange(tree, after, window, reads, saved))
      else if (replan.isNotRepeated) Left(Reason(AdaptReasons.AdaptNotRepeated))
      else Left(tooDear)
    }

    private def published(
        window: Window,
        reads: PresentReads,
        ranks: SampleRanks,
        weights: Map[String, Double]): Either[Reason, TreeChange] = {
      val perRow = rows.toDouble / ranks.sample.rows.length.max(1)
      val planner = new PublishedPlanner(ranks, options.writeCost, perRow, weights.keySet)
      val planned = planner(tree.root, window)
      val change =
        TreeChange(tree, tree.withRoot(planned.node), window, reads, planned.benefit)
      if (change.isNone) Left(tooDear) else Right(change)
    }

    /** The sample is routed by the tree, so it has all columns that the tree cuts. */
    private def sampled: IndexedSeq[CutColumn] = {
      val filtered = all.queries.flatMap(_.columns).map(base.schema(_).name).toSet
      val wanted = filtered ++ tree.columns ++ weighed.keys
      CutColumn.among(base.schema.filter(field => wanted(field.name)))
    }

    private def sample(columns: IndexedSeq[CutColumn]) =
      WriteStep(session, log.path, "drawing a sample of") {
        val read = transaction.rows(transaction.read(base, present.files(tree.leafIds)))
        DrawSample(read, columns, SampleRows, options.seed).sample
      }

    private def told(report: AdaptReport, change: TreeChange): AdaptReport = {
      val now = share(change.window, change.reads)
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

  /** A leaf that exceeds its limit by this factor is cut, as by a compaction. */
  private val TooMany = 2
}
