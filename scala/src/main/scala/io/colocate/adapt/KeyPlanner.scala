package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.adapt.cost.FileReads
import io.colocate.adapt.keys.{AskedKeys, JoinedRead, KeyChoice, KeyMove, KeyRegret, KeyTree, OtherKeys}
import io.colocate.adapt.window.Window
import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.{HistoryEntry, TableLog}
import io.colocate.tables.operations.TableOptions
import io.colocate.tables.queries.AskedQuery
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * Plans the move of a table to another join key, by [[KeyRegret]]. A move that was begun goes on, step by
 * step, whatever was asked since: a table between two keys is shuffled for both.
 *
 * A table without a join key stays without one: it was laid out for its filters, and nobody knows what
 * these would lose.
 *
 * @param queries the oldest first
 * @param window  those among them that have filters
 */
final private class KeyPlanner(
    session: SparkSession,
    log: TableLog,
    options: AdaptOptions,
    base: Snapshot,
    commits: Seq[HistoryEntry],
    queries: Seq[AskedQuery],
    window: Window) {

  private val own = OtherKeys.spelled(session, base)
  private val newest: Option[RobustTree] = base.trees.maxByOption(_.id)
  private val keys =
    new AskedKeys(log.path.toString, base.schema, own, new OtherKeys(session))
  private val most = (options.budget * base.files.totalRows).toLong.max(1)

  /** Left: why a table stays whose joins are by another key too; None if there is nothing to tell. */
  def plan(report: AdaptReport): Either[Option[Reason], AdaptPlan] = newest match {
    case Some(tree) if KeyMove.isOn(base) => Right(onward(tree, report))
    case Some(tree)
        if !options.published && !base.metadata.replicated && own.nonEmpty &&
          tree.leaves.length > 1 =>
      val joined = keys.reads(queries)
      KeyRegret(joined, own).toRight(None).flatMap(moved(tree, joined, _, report))
    case _ => Left(None)
  }

  /** The rows that joins have read less since a time, as the table has moved to another key. */
  def saved(since: Long): Double =
    if (newest.forall(_.joinKey.isEmpty)) 0.0
    else {
      val before = TableOptions.parse(base.metadata.options).joinKey
      keys.saved(queries.filter(_.time > since), before)
    }

  private def onward(tree: RobustTree, report: AdaptReport): AdaptPlan = {
    val move = KeyMove(base, tree, most)
    val told = report.copy(rewritten = rows(move), joinKey = Some(own))
    AdaptPlan(base, None, told, account = Some(account(tree)), move = Some(move))
  }

  private def moved(
      tree: RobustTree,
      joined: IndexedSeq[JoinedRead],
      choice: KeyChoice,
      report: AdaptReport): Either[Option[Reason], AdaptPlan] = {
    val price = options.cost * base.files.totalRows
    lazy val account = this.account(tree)
    for {
      _ <- Either.cond(choice.pays(price), (), tooDear(choice, price))
      _ <- blocked(choice.key, account).map(Some(_)).toLeft(())
      to <- KeyTree(session, log, base, choice.key, keys.partners(queries, choice.key)).left
        .map(why =>
          Some(Reason(AdaptReasons.AdaptKeyCuts, "key" -> shown(choice.key), "why" -> why)))
    } yield {
      val move = KeyMove(base, to, most)
      val share = joined.iterator.map(_.rows).sum / joined.length / base.files.totalRows.max(1)
      val told = report.copy(queries = choice.of, rewritten = rows(move), readShare = share,
        readShareAfter = share, price = Some(price / choice.gain), joinKey = Some(choice.key),
        joins = choice.joins)
      AdaptPlan(base, None, told, account = Some(account), move = Some(move))
    }
  }

  private def blocked(key: Seq[String], account: => Account): Option[Reason] =
    family(key).orElse(lacksSpace).orElse(overdrawn(account))

  /** A table that has moved before shares the cuts of its options with nobody any more. */
  private def family(key: Seq[String]): Option[Reason] = {
    val layout = TableOptions.of(base)
    val shared = Seq(TableOptions.CutRegistry -> layout.cutRegistry,
      TableOptions.JoinCuts -> layout.joinCuts).collectFirst { case (name, Some(_)) => name }
    shared.map(name =>
      Reason(AdaptReasons.AdaptFamily, "key" -> shown(key), "own" -> shown(own), "option" -> name))
  }

  /** Asked once, for all steps: a table should not stay between two keys because its space has run out. */
  private def lacksSpace: Option[Reason] =
    new OlderFiles(options, base, commits).lackSpace(base.files.totalBytes)

  private def overdrawn(account: Account): Option[Reason] = {
    val rows = base.files.totalRows
    Option.when(account.ledger.room(rows, options.cost) < rows)(Reason(AdaptReasons.AdaptAccount,
      "rewritten" -> s"${account.ledger.rewritten}"))
  }

  /** A few joins by another key are no news. */
  private def tooDear(choice: KeyChoice, price: Double): Option[Reason] =
    Option.when(4 * choice.joins >= choice.of)(Reason(AdaptReasons.AdaptKeys,
      "joins" -> s"${choice.of}", "others" -> s"${choice.joins}", "key" -> shown(choice.key),
      "own" -> shown(own), "regret" -> s"${choice.regret.max(0).round}",
      "needed" -> s"${choice.needed(price).round}"))

  private def account(tree: RobustTree): Account =
    new Account(session, log, base, tree, new FileReads(base, tree), window,
      window.queries.flatMap(_.columns).map(base.schema(_).name)
        .toSet ++ tree.columns, saved)

  private def rows(move: KeyMove): Long = move.files.iterator.map(base.files.rows).sum

  private def shown(key: Seq[String]): String = key.mkString(", ")
}
