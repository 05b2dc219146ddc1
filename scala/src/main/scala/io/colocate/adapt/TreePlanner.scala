package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.change.{PublishedPlanner, Replan}
import io.colocate.adapt.cost.{FileReads, SampleRanks}
import io.colocate.adapt.ledger.Price
import io.colocate.adapt.window.Window
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.{HistoryEntry, TableLog}
import io.colocate.tables.operations.TableOptions
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, Node, RobustTree}

/**
 * Plans a change of the newest tree of a table, by which new rows are routed.
 *
 * @param commits those of the log, the newest first
 * @param all     the newest queries, as many as the longest window looks at
 * @param joined  the rows that joins have read less since a time
 */
final private class TreePlanner(
    session: SparkSession,
    log: TableLog,
    options: AdaptOptions,
    base: Snapshot,
    commits: Seq[HistoryEntry],
    tree: RobustTree,
    all: Window,
    joined: Long => Double) {

  private val layout = TableOptions.of(base)
  private val cuts = new CutOptions(session, base)
  private val present = new FileReads(base, tree)
  private val rows = present.rows(tree.root)
  // Not read where nothing can pay anyway.
  private lazy val account = new Account(session, log, base, tree, present, all, sampled, joined)
  private lazy val room =
    if (options.published) Long.MaxValue else account.ledger.room(rows, options.cost)
  private lazy val most = (options.budget * base.files.totalRows).toLong.min(room).max(1)

  def plan(report: AdaptReport): AdaptPlan = {
    val now = share(all)
    def declined(reason: Reason) = AdaptPlan(base, None,
      report.copy(readShare = now, readShareAfter = now, reason = Some(reason)))
    if (now == 0) declined(Reason(AdaptReasons.AdaptNoGain))
    else if (!mayPay) declined(tooDear)
    else
      older.lackSpace(1).orElse(overdrawn).map(declined).getOrElse {
        val sample =
          TableSample(session, log, base, present.files(tree.leafIds), sampled, options.seed)
        val tries = changes(sample).map(_.map(gathering))
        tries.collectFirst { case Right(change) => change } match {
          case Some(change) =>
            val lacking = older.lackSpace(bytes(change))
            lacking.orElse(Option.when(change.rewritten > most)(tooDear)).map(declined).getOrElse(
              AdaptPlan(base, Some(change), told(report, change), sample.time, Some(account)))
          case None => declined(tries.collectFirst { case Left(reason) => reason }.get)
        }
      }
  }

  private def overdrawn: Option[Reason] = Option.when(room == 0)(Reason(AdaptReasons.AdaptAccount,
    "rewritten" -> s"${account.ledger.rewritten}"))

  /** A compaction would write files without a leaf as well: as many go along as the budget allows. */
  private def gathering(change: TreeChange): TreeChange = {
    val astray = if (change.files.isEmpty) IndexedSeq.empty else base.astray(tree)
    val sums = astray.scanLeft(change.rewritten)(_ + base.files.rows(_)).tail
    change.copy(gathered = astray.take(sums.count(_ <= most)))
  }

  /** As many leaves as of this table so many rows have, more where appends have made them too large. */
  private def leaves(node: Node): Int = {
    val large = node.leaves.iterator
      .map(leaf => layout.timesFull(present.rows(leaf.id), present.bytes(leaf.id)))
      .filter(_ > TableOptions.TooFull).map(_.ceil.toInt).sum
    (present.rows(node) * tree.leaves.length / rows.toDouble.max(1)).round.toInt.max(large).max(1)
  }

  private def share(window: Window): Double =
    window.queries.iterator.map(present.read(_, tree.root)).sum.toDouble / window.length / rows.max(
      1)

  /** Without a sample: whatever was read of rows since they were written might have been saved. */
  private def mayPay: Boolean = options.published || tree.leaves.exists { leaf =>
    readSince(leaf)._2 > options.cost * present.rows(leaf)
  }

  /** How many queries ran since a leaf was written, and what they have read of it. */
  private def readSince(leaf: Leaf): (Int, Double) = {
    val fresh = all.after(present.written(leaf)).map(all.queries)
    (fresh.length, fresh.iterator.map(query => query.weight * present.read(query, leaf)).sum)
  }

  private val older = new OlderFiles(options, base, commits)

  private def bytes(change: TreeChange): Long = change.files.iterator.map(base.files.bytes).sum

  private def tooDear: Reason = tooDear(fewest)

  private def tooDear(needed: Int): Reason = Reason(AdaptReasons.AdaptPrice,
    "queries" -> s"${all.length}", "cost" -> s"${options.cost}", "needed" -> s"$needed")

  /** After how many such queries some rows have been read as often as rewriting them costs. */
  private def fewest: Int = tree.leaves.iterator.flatMap { leaf =>
    val (queries, read) = readSince(leaf)
    Option.when(read > 0)(queries * options.cost * present.rows(leaf) / read)
  }.minOption.fold(Int.MaxValue)(_.ceil.toInt)

  /** For each window what is worth it, or why nothing is. */
  private def changes(sample: TableSample): LazyList[Either[Reason, TreeChange]] = {
    val ranks = new SampleRanks(sample.rows, base.schema)
    val weights = cuts.weights(sample.rows.columns)
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
    val replan = new Replan(tree, window, present, ranks, weights,
      Price(options.cost, account.ledger), most, cuts.joinKey.toSet, leaves)
    val choices = replan.choices
    val after = tree.withRoot(replan.changed(choices))
    if (choices.nonEmpty)
      Right(TreeChange(tree, after, window, present, choices.map(_.saved).sum,
        choices.map(_.fewer).sum))
    else if (replan.isNotRepeated) Left(Reason(AdaptReasons.AdaptNotRepeated))
    else Left(tooDear(replan.queriesToPay.getOrElse(fewest)))
  }

  private def published(
      window: Window,
      ranks: SampleRanks,
      weights: Map[String, Double]): Either[Reason, TreeChange] = {
    val perRow = rows.toDouble / ranks.sample.rows.length.max(1)
    val planner = new PublishedPlanner(ranks, options.cost, perRow, weights.keySet)
    val planned = planner(tree.root, window)
    val change = TreeChange(tree, tree.withRoot(planned.node), window, present, planned.benefit,
      planned.benefit)
    if (change.isNone) Left(tooDear) else Right(change)
  }

  /** The sample is routed by the tree, so it has all columns that the tree cuts. */
  private def sampled: Set[String] =
    all.queries.flatMap(_.columns).map(base.schema(_).name).toSet ++ tree.columns ++ cuts.named

  private def told(report: AdaptReport, change: TreeChange): AdaptReport = {
    val now = share(change.window)
    val fewer = change.fewer / change.window.length / rows.max(1)
    report.copy(queries = change.window.length, rewritten = change.rewritten, readShare = now,
      readShareAfter = (now - fewer).max(0),
      price = Some(options.cost * change.rewritten * change.window.length / change.saved))
  }
}
