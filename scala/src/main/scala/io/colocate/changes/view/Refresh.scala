package io.colocate.changes.view

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.changes.differentiate.{Differentiate, Operators, Signed, TopByKey}
import io.colocate.report.{ChangesReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{ChangesSpanColumns, CommitInfo, ConcurrentChange, Maintained, SourceVersion}
import io.colocate.tables.operations.TableWriter
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.write.RowSource

/**
 * What a refresh did.
 *
 * @param kind    none, incremental or full
 * @param version of the view afterwards
 * @param rows    that came or went; all of them with the kind full
 * @param reasons why all rows were computed anew
 */
final private[colocate] case class Refreshed(
    kind: String,
    version: Long,
    rows: Long,
    sources: Map[String, SourceVersion],
    reasons: Seq[Reason])

/**
 * Brings a view up to date: its rows become those of its query over the newest versions of its sources, in
 * one commit that names these versions. Whatever fails before leaves the view as it was, and the next refresh
 * begins at the versions that it stands for, so no change is lost or applied twice.
 */
final private[colocate] class Refresh(session: SparkSession, log: TableLog) {

  /** @param asked a policy for this time; None for the view's own */
  def apply(asked: Option[String]): Refreshed = {
    val policy = asked.map(Policy.of)
    def again(tries: Int): Refreshed =
      try once(policy)
      catch {
        // Another refresh, or a compaction, was faster; its versions are read anew.
        case _: ConcurrentChange if tries > 1 => again(tries - 1)
      }
    again(Refresh.Tries)
  }

  private def once(asked: Option[String]): Refreshed = {
    val base = log.snapshot()
    val view = base.view.getOrElse(throw new NoView(log.path.toString))
    val policy = asked.getOrElse(view.policy)
    val definition = Definition(session, view.query, view.settings)
    ViewSession.in(definition.session) {
      val to = Sources.versions(definition.plan)
      val next = view.copy(plan = definition.digest, sources = to)
      if (next == view && policy != Policy.Full) Refreshed("none", base.version, 0, to, Nil)
      else
        Refresh.blocked(definition, view, to, policy) match {
          case Seq() => incrementally(base, definition, view, next, policy)
          case reasons => fully(base, definition, next, policy, reasons)
        }
    }
  }

  private def incrementally(
      base: Snapshot,
      definition: Definition,
      view: Maintained,
      next: Maintained,
      policy: String): Refreshed =
    try {
      val states = new Sources.Between(definition.session, view.sources, next.sources)
      val by = new Differentiate(states, FewKeys(definition.session))
      SubqueryValues.settled(definition.session, definition.plan, by) match {
        case Some(plan) =>
          val merge = new MergeChanges(definition.session, log)
          val change = Refresh.change(plan, by, merge.stored(base))
          val (version, rows) = merge(base, change, next, info("incremental", Nil))
          Refreshed("incremental", version, rows, next.sources, Nil)
        case None => fully(base, definition, next, policy, Seq(Operators.subqueryChanged))
      }
    } catch {
      case _: RowsNotThere =>
        fully(base, definition, next, policy, Seq(Reason(ChangesReasons.RowsNotFound)))
      case _: ChangesSpanColumns =>
        fully(base, definition, next, policy, Seq(Reason(ChangesReasons.DefinitionChanged)))
    }

  private def fully(
      base: Snapshot,
      definition: Definition,
      next: Maintained,
      policy: String,
      reasons: Seq[Reason]): Refreshed = {
    if (policy == Policy.Strict) throw new NotMaintainable(log.path.toString, policy, reasons)
    val own = definition.session
    val plan = Sources.at(own, definition.plan, next.sources)
    val rows = RowSource.of(own, own.sessionState.executePlan(plan))
    val version =
      new TableWriter(own, log).overwrite(base, rows, Map.empty, Some(next), info("full", reasons))
    val written = log.backFrom(version).next().info.metrics.getOrElse("rowsAdded", 0L)
    Refreshed("full", version, written, next.sources, reasons)
  }

  private def info(kind: String, reasons: Seq[Reason]) = CommitInfo("REFRESH",
    Map("kind" -> kind) ++
      Option.when(reasons.nonEmpty)("reason" -> reasons.map(_.code.name).distinct.mkString(", ")))
}

private[colocate] object Refresh {

  private val Tries = 5

  /** Why rows cannot be brought up to date from changes; empty if they can. */
  private[view] def blocked(
      definition: Definition,
      view: Maintained,
      to: Map[String, SourceVersion],
      policy: String): Seq[Reason] =
    if (policy == Policy.Full) Seq(Reason(ChangesReasons.FullAsked))
    else if (definition.digest != view.plan) Seq(Reason(ChangesReasons.DefinitionChanged))
    else
      (problems(definition) ++ Sources.lost(definition.plan, view.sources, to)).distinct

  /** Why a query cannot be maintained, whatever changes. */
  private[view] def problems(definition: Definition): Seq[Reason] =
    (Operators.problems(definition.plan) ++ Sources.problems(definition.plan)).distinct

  private def change(plan: LogicalPlan, by: Differentiate, stored: LogicalPlan): Option[Signed] =
    TopByKey.of(plan).fold(by.change(plan))(_.change(by, stored))
}
