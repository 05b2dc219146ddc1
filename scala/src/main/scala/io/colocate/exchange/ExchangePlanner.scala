package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution
import org.apache.spark.sql.catalyst.trees.TreePattern.{DYNAMIC_PRUNING_EXPRESSION, DYNAMIC_PRUNING_SUBQUERY}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.bucketing.CoalesceBucketsInJoin
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeLike}
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperator
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.cost.{CostModel, SharedSubplans}
import io.colocate.exchange.memory.{Decline, ExchangeReport, PlanMemory, Round}
import io.colocate.exchange.partitioning.{HashPartitionings, Rebuilt, Requirement}
import io.colocate.exchange.replan.{Gathered, KeepOnePartition, Replay, Revisit}
import io.colocate.exchange.search.{Alternative, PlanComparison, PlanningContext}
import io.colocate.facts.estimated.Facts
import io.colocate.report.{ExchangeReasons, Reason}
import io.colocate.rule.ColocateConf

/**
 * Chooses the layouts of a whole physical plan, before Spark's EnsureRequirements, and inserts the
 * shuffles that Spark would not choose by itself. EnsureRequirements then verifies the plan and adds
 * whatever is missing: a mistake here costs a shuffle, never a row.
 *
 * {{{
 *   HashAggregate [a]                              HashAggregate [a]
 *   +- Exchange hashpartitioning(a)                +- SortMergeJoin [a, b]
 *      +- SortMergeJoin [a, b]               =>       :- Exchange cohashpartitioning(a)
 *         :- Exchange hashpartitioning(a, b)          +- Exchange cohashpartitioning(a)
 *         +- Exchange hashpartitioning(a, b)
 * }}}
 *
 * Valid because rows equal on (a, b) are equal on a: hashed on a they meet for the join and for the
 * aggregate. Not valid after `LEFT JOIN` for an aggregate by the right side's a: its NULLs come from
 * every partition. Spark's own `outputPartitioning` of the join says so, and it is what the search
 * asks.
 *
 * A plan is adopted only if it wins against Spark's ([[PlanComparison]]).
 */
final class ExchangePlanner(adaptive: Boolean, conf: SQLConf, hint: Option[String]) {

  /** The plan to give to Spark. The report hangs on its root. */
  def plan(original: SparkPlan): SparkPlan =
    if (adaptive && Round.isAgain(original)) again(original, Round.again(original))
    else if (asksForLayouts(original)) first(original, Round.first(original, adaptive))
    else original

  private def first(original: SparkPlan, round: Round): SparkPlan =
    WholeQuery.of(original).filter(_.isWorse) match {
      case Some(whole) =>
        val reason = Reason(ExchangeReasons.SharedWithSubquery, "ours" -> whole.ours.text,
          "stock" -> whole.stock.text)
        remember(original, round, unplanned(original, reason))
      case None => planned(original, round)
    }

  /** A planning of what is left of a query, after one of its stages. */
  private def again(original: SparkPlan, round: Round): SparkPlan = {
    val gathered =
      if (isStreaming(original)) Gathered(original, Nil)
      else new KeepOnePartition(new Facts, conf)(original)
    round.memory.gather(gathered.removals)
    if (round.memory.open && asksForLayouts(gathered.plan)) planned(gathered.plan, round)
    else reportedBefore(gathered.plan, round)
  }

  private def planned(original: SparkPlan, round: Round): SparkPlan =
    leftAlone(original) match {
      case Some(reason) =>
        round.memory.unseen = true
        reported(original, unplanned(original, reason))
      case None =>
        val plan = CoalesceBucketsInJoin(original)
        val sides = withBroadcastSides(plan, round)
        if ((sides eq plan) || round.again) search(sides, round)
        else comparedAsAWhole(plan, sides, round)
    }

  private def asksForLayouts(plan: SparkPlan): Boolean = plan.exists { p =>
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
   * Plans what is broadcast as a query of its own. Dynamic pruning plans the same side apart from
   * the query and finds the broadcast to share only if both plans are equal.
   */
  private def withBroadcastSides(plan: SparkPlan, round: Round): SparkPlan = {
    val asked = plan.requiredChildDistribution
    val children = plan.children.zip(asked).map {
      case (child, _: BroadcastDistribution) if asksForLayouts(child) =>
        search(withBroadcastSides(child, round), round)
      case (child, _: BroadcastDistribution) => child
      case (child, _) => withBroadcastSides(child, round)
    }
    Rebuilt(plan, children)
  }

  /**
   * Rows that are broadcast may come of the same shuffles as the rest. Their sides keep Spark's plan
   * where the whole would shuffle more with ours; not where dynamic pruning has planned them so already.
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
      val report = round.memory.report.getOrElse(ExchangeReport.Empty)
      remember(ours, round, report.counting(stock, mine))
    }
  }

  private def search(plan: SparkPlan, round: Round): SparkPlan = {
    val outlook = new PlanningContext(plan, round.memory, adaptive, conf, hint)
    val calm = outlook.skewed.isEmpty
    if (round.again && calm && !Revisit.mustSearch(plan, round.memory, outlook.guard))
      reportedBefore(Replay(plan, round.memory), round)
    else {
      val complete = outlook.completed(plan)
      lazy val only = if (round.again) None else onlyShuffle(plan, complete)
      if (calm && only.isDefined) remember(plan, round, kept(plan, only.get, outlook.model))
      else if (!calm || complete.exists(_.isInstanceOf[ShuffleExchangeLike]) || !keepsLayouts(plan))
        decided(plan, round, new PlanComparison(plan, complete, outlook), calm)
      else if (round.again) reportedBefore(plan, round)
      else remember(plan, round, unplanned(plan, Reason(ExchangeReasons.NothingToDo)))
    }
  }

  /**
   * The one shuffle of a plan that nothing lies ready for, such as a bucketed table. There is none to
   * save: what made this one needless would be another.
   */
  private def onlyShuffle(plan: SparkPlan, complete: SparkPlan): Option[ShuffleExchangeLike] = {
    val shuffles = complete.collect { case shuffle: ShuffleExchangeLike => shuffle }
    shuffles.headOption.filter(_ =>
      shuffles.length == 1 && !plan.exists {
        case _: Exchange => true
        case operator =>
          operator.children.isEmpty && HashPartitionings.hashes(
            operator.outputPartitioning).nonEmpty
      })
  }

  private def kept(plan: SparkPlan, only: ShuffleExchangeLike, model: CostModel): ExchangeReport = {
    val bytes = model.bytes(only.child)
    ExchangeReport(1, 1, bytes, bytes, Nil,
      Seq(Decline(plan.nodeName, Reason(ExchangeReasons.NothingToDo))))
  }

  /** @param calm where no stage is skewed; else the choice is made anew, whatever it costs */
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
        memory.adopt(comparison.bestPlan, comparison.best.claims)
        if (adaptive) comparison.best.settle(memory)
        remember(comparison.bestPlan, round, comparison.reportOfOurs)
      }
    }
  }

  /**
   * True where Spark sees by itself that rows lie as they must. It forgets so where partitions are
   * joined that were hashed on functions of the keys, unless the search puts a claim above them.
   */
  private def keepsLayouts(plan: SparkPlan): Boolean = !plan.exists {
    case stage: ShuffleQueryStageExec =>
      HashPartitionings.hashes(stage.outputPartitioning).exists(
        !_.keys.forall(_.isInstanceOf[Attribute]))
    case _ => false
  }

  /** The plan, where the choice adds nothing to it but what an earlier round found worth it. */
  private def metAgain(choice: Alternative, memory: PlanMemory): Option[SparkPlan] = {
    val emitted = Alternative.emit(choice)
    val worthIt = memory.adopted && choice.isSettled(memory)
    Option.when((emitted eq choice.operator) || worthIt)(emitted)
  }

  private def reportedBefore(plan: SparkPlan, round: Round): SparkPlan =
    round.memory.report.fold(plan)(reported(plan, _))

  /** Keeps what was planned. Later rounds no longer see what the first one counted. */
  private def remember(plan: SparkPlan, round: Round, report: ExchangeReport): SparkPlan = {
    val whole = round.memory.report.filter(_ => round.again).fold(report) { first =>
      // Neither do they see a skewed stage again, so what was seen once is kept.
      val skewed = report.declines.filter(_.reason.code == ExchangeReasons.SkewSeen)
      first.copy(declines = (skewed ++ first.declines).distinct)
    }
    round.memory.report = Some(whole)
    reported(plan, whole)
  }

  private def reported(plan: SparkPlan, report: ExchangeReport): SparkPlan = {
    plan.setTagValue(ExchangeReport.Tag, report)
    plan
  }

  private def unplanned(plan: SparkPlan, reason: Reason): ExchangeReport =
    ExchangeReport.Empty.copy(declines = Seq(Decline(plan.nodeName, reason)))
}
