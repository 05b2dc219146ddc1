package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution
import org.apache.spark.sql.catalyst.trees.TreePattern.{DYNAMIC_PRUNING_EXPRESSION, DYNAMIC_PRUNING_SUBQUERY}
import org.apache.spark.sql.execution.{RemoveRedundantProjects, SparkPlan}
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.bucketing.CoalesceBucketsInJoin
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeLike}
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperator
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.carried.CarriedKeys
import io.colocate.exchange.claims.Numbered
import io.colocate.exchange.cost.{CostModel, SharedSubplans}
import io.colocate.exchange.memory.{ExchangeFindings, Narrowed, PlanMemory, Round}
import io.colocate.exchange.partitioning.{HashPartitionings, Rebuilt, Requirement}
import io.colocate.exchange.replan.{KeepOnePartition, Replay, Revisit}
import io.colocate.exchange.search.{Alternative, PlanComparison, PlanningContext}
import io.colocate.facts.estimated.Estimates
import io.colocate.facts.proved.Proofs
import io.colocate.report.{ExchangeReasons, PlanReport, Reason, Shuffles, WholeQuery}
import io.colocate.rule.ColocateConf

/**
 * Chooses the partitionings of a whole physical plan, before Spark's EnsureRequirements runs, and inserts
 * the shuffles that Spark would not choose by itself. EnsureRequirements then verifies the plan and adds
 * every missing shuffle: a mistake here costs a shuffle, never a row.
 *
 * {{{
 *   HashAggregate [a]                              HashAggregate [a]
 *   +- Exchange hashpartitioning(a)                +- SortMergeJoin [a, b]
 *      +- SortMergeJoin [a, b]               =>       :- Exchange cohashpartitioning(a)
 *         :- Exchange hashpartitioning(a, b)          +- Exchange cohashpartitioning(a)
 *         +- Exchange hashpartitioning(a, b)
 * }}}
 *
 * Valid because rows equal on (a, b) are equal on a: hashed on a, they meet for the join and for the
 * aggregate. Not valid after `LEFT JOIN` for an aggregate by the right side's a: its NULLs come from every
 * partition. The join's `outputPartitioning`, which the search asks, says so.
 *
 * A plan is adopted only if it is better than Spark's ([[PlanComparison]]).
 */
final class ExchangePlanner(adaptive: Boolean, conf: SQLConf, hint: Option[String]) {

  /** The plan to give to Spark. The report is attached to its root. */
  def plan(original: SparkPlan): SparkPlan =
    if (adaptive && Round.isAgain(original)) again(original, Round.again(original))
    else if (asksForPartitionings(original)) first(original, Round.first(original, adaptive))
    else original

  private def first(original: SparkPlan, round: Round): SparkPlan =
    WholeQuery.of(original).filter(_.isWorse) match {
      case Some(whole) =>
        val reason = Reason(ExchangeReasons.SharedWithSubquery, "ours" -> whole.ours.text,
          "stock" -> whole.stock.text)
        remember(original, round, unplanned(original, reason))
      case None => planned(original, round)
    }

  /** Plans the rest of a query after one of its stages has finished. */
  private def again(original: SparkPlan, round: Round): SparkPlan = {
    val gathered =
      if (isStreaming(original)) original
      else new KeepOnePartition(new Estimates(new Proofs), conf)(original)
    if (round.memory.open && asksForPartitionings(gathered)) planned(gathered, round)
    else reportedBefore(gathered, round)
  }

  private def planned(original: SparkPlan, round: Round): SparkPlan =
    leftAlone(original) match {
      case Some(reason) =>
        round.memory.unseen = true
        reported(original, unplanned(original, reason))
      case None =>
        val plan = asEnsured(original)
        val sides = withBroadcastSides(plan, round)
        if ((sides eq plan) || round.again) search(sides, round)
        else comparedAsAWhole(plan, sides, round)
    }

  /** Does what Spark does before EnsureRequirements: subplans may be equal without the projects that it drops. */
  private def asEnsured(plan: SparkPlan): SparkPlan =
    RemoveRedundantProjects(CoalesceBucketsInJoin(plan))

  private def asksForPartitionings(plan: SparkPlan): Boolean = plan.exists { p =>
    Requirement.of(p).exists {
      case Requirement.Together(_) | Requirement.Aligned(_) => true
      case _ => false
    }
  }

  private def leftAlone(plan: SparkPlan): Option[Reason] = {
    val most = ColocateConf.ExchangeMaxOperators(conf)
    lazy val operators = plan.collect { case p => p }.length
    if (isStreaming(plan)) Some(Reason(ExchangeReasons.Streaming))
    else if (operators > most)
      Some(Reason(ExchangeReasons.PlanTooLarge, "operators" -> s"$operators", "limit" -> s"$most"))
    else None
  }

  private def isStreaming(plan: SparkPlan): Boolean =
    plan.exists(p => p.isInstanceOf[StatefulOperator] || p.logicalLink.exists(_.isStreaming))

  /**
   * Plans each broadcast side as a query of its own. Dynamic pruning plans the same side separately and can
   * share the broadcast only if both plans are equal.
   */
  private def withBroadcastSides(plan: SparkPlan, round: Round): SparkPlan = {
    val asked = plan.requiredChildDistribution
    val children = plan.children.zip(asked).map {
      case (child, _: BroadcastDistribution) if asksForPartitionings(child) =>
        search(withBroadcastSides(child, round), round)
      case (child, _: BroadcastDistribution) => child
      case (child, _) => withBroadcastSides(child, round)
    }
    Rebuilt(plan, children)
  }

  /**
   * Broadcast rows may come from the same shuffles as the rest of the query. Broadcast sides keep Spark's
   * plan if the whole query would shuffle more with Colocate's; not if dynamic pruning has already planned
   * them with Colocate's.
   */
  private def comparedAsAWhole(plan: SparkPlan, sides: SparkPlan, round: Round): SparkPlan = {
    val ours = search(sides, round)
    val outlook = new PlanningContext(plan, round.memory, adaptive, conf, hint)
    val sharing = SharedSubplans.of(plan, outlook.reused)
    val Seq(stock, mine) = Seq(plan, ours).map(p => outlook.priced(outlook.completed(p), sharing))
    if (mine.shufflesMore(stock) && !plan.containsAnyPattern(DYNAMIC_PRUNING_SUBQUERY,
        DYNAMIC_PRUNING_EXPRESSION)) {
      round.memory.forget()
      search(plan, round)
    } else {
      val report = round.memory.report.getOrElse(PlanReport.NotCounted)
      remember(ours, round, report.copy(stock = stock.shuffles, ours = mine.shuffles))
    }
  }

  private def search(plan: SparkPlan, round: Round): SparkPlan = {
    val outlook = new PlanningContext(plan, round.memory, adaptive, conf, hint)
    val calm = outlook.skewed.isEmpty
    val replay = if (round.again && calm) replayed(plan, round.memory, outlook) else None
    replay.map(reportedBefore(_, round)).getOrElse {
      val complete = outlook.completed(plan)
      lazy val only = if (round.again) None else onlyShuffle(plan, complete)
      if (calm && only.isDefined) remember(plan, round, kept(plan, only.get, outlook.model))
      else if (!calm || complete.exists(_.isInstanceOf[ShuffleExchangeLike]) || !keepsPartitionings(
          plan))
        decided(plan, round, compared(plan, complete, outlook, calm), calm)
      else if (round.again) reportedBefore(plan, round)
      else remember(plan, round, unplanned(plan, Reason(ExchangeReasons.NothingToDo)))
    }
  }

  /** The earlier choices in the rest of a query; None if it must be searched again. */
  private def replayed(
      plan: SparkPlan,
      memory: PlanMemory,
      outlook: PlanningContext): Option[SparkPlan] =
    if (Revisit.mustSearch(plan, memory, outlook.guard)) None
    else
      Some(Replay(plan, memory)).filter(again =>
        !memory.claimed || !memory.claims.shufflesMore(outlook.completed(again)))

  private def compared(
      plan: SparkPlan,
      complete: SparkPlan,
      outlook: PlanningContext,
      calm: Boolean): PlanComparison = {
    val usual = new PlanComparison(plan, complete, plan, outlook)
    val carried = if (calm) new CarriedKeys(outlook.proofs)(plan) else None
    carried.map(new PlanComparison(plan, complete, _, outlook)).filter(_.isBetterThan(usual))
      .getOrElse(usual)
  }

  /**
   * The only shuffle of a plan in which no input is already partitioned, as a bucketed table is or rows that
   * know their partition are. It cannot be saved: making it needless would take another shuffle.
   */
  private def onlyShuffle(plan: SparkPlan, complete: SparkPlan): Option[ShuffleExchangeLike] = {
    val shuffles = complete.collect { case shuffle: ShuffleExchangeLike => shuffle }
    shuffles.headOption.filter(_ =>
      shuffles.length == 1 && !plan.exists {
        case _: Exchange => true
        case leaf if leaf.children.isEmpty =>
          HashPartitionings.hashes(leaf.outputPartitioning).nonEmpty
        case operator => Numbered.columns(operator).nonEmpty
      })
  }

  private def kept(plan: SparkPlan, only: ShuffleExchangeLike, model: CostModel): PlanReport = {
    val one = Shuffles(1, model.bytes(only.child))
    PlanReport(one, one,
      Seq(ExchangeFindings.kept(plan.nodeName, Reason(ExchangeReasons.NothingToDo))))
  }

  /**
   * @param calm false if a finished stage is skewed: then the new choice is taken, regardless of cost
   */
  private def decided(
      plan: SparkPlan,
      round: Round,
      comparison: PlanComparison,
      calm: Boolean): SparkPlan = {
    val memory = round.memory
    memory.searches += 1
    memory.refuse(comparison.refused)
    val met = if (round.again && calm) metAgain(comparison.found, memory) else None
    met.map(reportedBefore(_, round)).getOrElse {
      if (calm && !comparison.isWon) remember(plan, round, comparison.reportOfStock)
      else {
        memory.adopt(comparison.bestPlan, comparison.bestComplete, comparison.carries)
        if (adaptive) comparison.best.settle(memory)
        Narrowed.put(comparison.bestPlan, comparison.best.narrowed)
        remember(comparison.bestPlan, round, comparison.reportOfOurs)
      }
    }
  }

  /**
   * True if Spark sees the partitioning of all rows by itself. Spark loses it when adaptive execution
   * coalesces partitions that were hashed on functions of the keys, unless the search puts a claim above
   * them.
   */
  private def keepsPartitionings(plan: SparkPlan): Boolean = !plan.exists {
    case stage: ShuffleQueryStageExec =>
      HashPartitionings.hashes(stage.outputPartitioning).exists(
        !_.keys.forall(_.isInstanceOf[Attribute]))
    case _ => false
  }

  /** The plan, if all shuffles that the choice adds to it were adopted in an earlier round. */
  private def metAgain(choice: Alternative, memory: PlanMemory): Option[SparkPlan] = {
    val emitted = Alternative.emit(choice)
    val worthIt = memory.adopted && choice.isSettled(memory)
    Option.when((emitted eq choice.operator) || worthIt)(emitted)
  }

  private def reportedBefore(plan: SparkPlan, round: Round): SparkPlan =
    round.memory.report.fold(plan)(reported(plan, _))

  /** Remembers the report. Later rounds no longer see the shuffles that the first one counted. */
  private def remember(plan: SparkPlan, round: Round, report: PlanReport): SparkPlan = {
    val whole = round.memory.report.filter(_ => round.again).fold(report) { first =>
      // Nor do they see a skewed stage again, so that finding is kept too.
      first.and(report.kept.filter(_.reason.code == ExchangeReasons.SkewSeen))
    }
    round.memory.report = Some(whole)
    reported(plan, whole)
  }

  private def reported(plan: SparkPlan, report: PlanReport): SparkPlan = {
    PlanReport.put(plan, report)
    plan
  }

  private def unplanned(plan: SparkPlan, reason: Reason): PlanReport =
    PlanReport.NotCounted.and(Seq(ExchangeFindings.kept(plan.nodeName, reason)))
}
