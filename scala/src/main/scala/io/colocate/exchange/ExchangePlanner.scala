package io.colocate.exchange

import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.EnsureRequirements
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperator
import org.apache.spark.sql.internal.SQLConf

import io.colocate.ColocateConf
import io.colocate.facts.Facts
import io.colocate.reason.{Reason, ReasonCode}

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
 * A plan is adopted only if, with Spark's own EnsureRequirements applied to it and with shared
 * shuffles counted once, it has no more shuffles, moves no more bytes and costs less than Spark's.
 */
final class ExchangePlanner(adaptive: Boolean, conf: SQLConf, hint: Option[String]) {

  private val usual = conf.numShufflePartitions

  /** The plan to give to Spark. The report hangs on its root. */
  def plan(original: SparkPlan): SparkPlan =
    if (!asksForLayouts(original)) original
    else
      leftAlone(original) match {
        case Some(reason) =>
          report(original, PlanCost.Zero, PlanCost.Zero, Nil, Seq(declined(original, reason)))
        case None => search(withBroadcastSides(original))
      }

  private def asksForLayouts(plan: SparkPlan): Boolean = plan.exists { p =>
    Need.of(p).exists {
      case Need.Together(_) | Need.Aligned(_) => true
      case _ => false
    }
  }

  private def leftAlone(plan: SparkPlan): Option[Reason] = {
    val most = ColocateConf.ExchangeMaxOperators(conf)
    lazy val operators = plan.collect { case p => p }.length
    if (plan.exists(p => p.isInstanceOf[StatefulOperator] || p.logicalLink.exists(_.isStreaming)))
      Some(Reason(ReasonCode.Streaming))
    else if (operators > most)
      Some(Reason(ReasonCode.PlanTooLarge, "operators" -> s"$operators", "limit" -> s"$most"))
    else None
  }

  /**
   * Plans what is broadcast as a query of its own. Dynamic pruning plans the same side apart from
   * the query and finds the broadcast to share only if both plans are equal.
   */
  private def withBroadcastSides(plan: SparkPlan): SparkPlan = {
    val asked = plan.requiredChildDistribution
    val children = plan.children.zip(asked).map {
      case (child, _: BroadcastDistribution) => this.plan(child)
      case (child, _) => withBroadcastSides(child)
    }
    if (children.zip(plan.children).forall { case (a, b) => a eq b }) plan
    else plan.withNewChildren(children)
  }

  private def search(plan: SparkPlan): SparkPlan = {
    val replan = adaptive && PlanMemory.isReplan(plan)
    val memory = if (replan) PlanMemory.of(plan) else None
    val facts = new Facts
    val model = new CostModel(facts)
    val guard = new Guard(Mode.of(conf, hint), facts, model, conf)
    val skew = new SkewWatch(adaptive, conf)
    val sharing = Sharing.of(plan)
    val settled = new Settled(memory)

    def priced(candidate: SparkPlan): Priced = {
      val complete = EnsureRequirements(optimizeOutRepartition = !adaptive).apply(candidate)
      Priced(candidate, complete, PlanCost.of(complete, model, sharing, usual))
    }
    val stock = priced(plan)
    val skewed = skew.seen(plan)
    if (stock.cost.exchanges == 0 && skewed.isEmpty)
      remember(plan, memory, replan, plan, stock, stock, Nil,
        Seq(declined(plan, Reason(ReasonCode.NothingToDo))))
    else {
      def context(pins: Sharing) =
        new SearchContext(facts, model, guard, pins, skew, settled, conf)
      val first = context(sharing)
      val found = new Search(first).best(plan)
      def candidate(choice: Choice) = {
        val emitted = Choice.emit(choice)
        Candidate(choice, if (emitted eq plan) stock else priced(emitted))
      }
      val start = candidate(found)
      val disagreeing = sharing.disagreeing(found)
      val open = sharing.considered.filter { case (group, _) => disagreeing(group) }
      val best = open.take(Sharing.MostGroups).foldLeft((start, sharing)) {
        case ((best, pinned), (group, layouts)) =>
          val tried = layouts.take(Sharing.MostLayouts).map { layout =>
            val next = pinned.withPin(group, layout)
            val choice = new Search(context(next)).best(plan)
            (candidate(choice), next)
          }
          ((best, pinned) +: tried).minBy(_._1.priced.cost.beside(stock.cost))
      }._1
      val adopted = skewed.nonEmpty || isBetter(best.priced.cost, stock.cost)
      val declines = skewed ++ first.refused ++
        (if (adopted) Nil else Seq(notAdopted(plan, best.priced.cost, stock.cost)))
      if (adopted) {
        val evidence = best.choice.evidence
        val removals = Differences.removals(stock.complete, best.priced.complete, evidence)
        remember(plan, memory, replan, best.priced.plan, stock, best.priced, removals, declines,
          Some(best.choice))
      } else remember(plan, memory, replan, plan, stock, stock, Nil, declines)
    }
  }

  private case class Priced(plan: SparkPlan, complete: SparkPlan, cost: PlanCost)
  private case class Candidate(choice: Choice, priced: Priced)

  private def isBetter(ours: PlanCost, stock: PlanCost): Boolean = {
    val cost = ours.beside(stock)
    ours.exchanges <= stock.exchanges && ours.bytes <= stock.bytes * ExchangePlanner.BytesSlack &&
    (ours.exchanges < stock.exchanges && cost < stock.cost ||
      ours.reads <= stock.reads && cost < stock.cost * ExchangePlanner.WorthIt)
  }

  private def notAdopted(plan: SparkPlan, ours: PlanCost, stock: PlanCost): Decline = {
    val reason =
      if (ours.exchanges == stock.exchanges && ours.bytes >= stock.bytes * 0.999)
        Reason(ReasonCode.NothingToDo)
      else
        Reason(ReasonCode.NotCheaper, "cost" -> Guard.bytes(ours.beside(stock)),
          "stock" -> Guard.bytes(stock.cost))
    declined(plan, reason)
  }

  private def declined(plan: SparkPlan, reason: Reason): Decline =
    Decline(plan.nodeName, Nil, reason)

  private def remember(
      original: SparkPlan,
      memory: Option[PlanMemory],
      replan: Boolean,
      plan: SparkPlan,
      stock: Priced,
      ours: Priced,
      removals: Seq[Removal],
      declines: Seq[Decline],
      choice: Option[Choice] = None): SparkPlan = {
    val reported = report(plan, stock.cost, ours.cost, removals, declines)
    if (adaptive) {
      val kept = memory.getOrElse(PlanMemory.start(original))
      choice.foreach(_.settle(kept))
      if (!replan) kept.report = ExchangeReport.of(reported)
      else {
        // Later rounds no longer see the skewed stage, so what was seen once is kept.
        val skewed = declines.filter(_.reason.code == ReasonCode.SkewSeen)
        kept.report = kept.report.map(r => r.copy(declines = (skewed ++ r.declines).distinct))
        kept.report.foreach(reported.setTagValue(ExchangeReport.Tag, _))
      }
    }
    reported
  }

  private def report(
      plan: SparkPlan,
      stock: PlanCost,
      ours: PlanCost,
      removals: Seq[Removal],
      declines: Seq[Decline]): SparkPlan = {
    plan.setTagValue(ExchangeReport.Tag,
      ExchangeReport(stock.exchanges, ours.exchanges, stock.bytes, ours.bytes, removals, declines))
    plan
  }
}

object ExchangePlanner {

  /** A plan with as many shuffles must be this much cheaper, and must not read anything twice. */
  private val WorthIt = 0.95

  /** Rounding of estimates. */
  private val BytesSlack = 1.001
}
