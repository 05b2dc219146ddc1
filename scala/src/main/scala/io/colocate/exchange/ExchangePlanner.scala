package io.colocate.exchange

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.BroadcastDistribution
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, ShuffleExchangeLike}
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperator
import org.apache.spark.sql.internal.SQLConf

import io.colocate.ColocateConf
import io.colocate.facts.Facts
import io.colocate.reason.{Bytes, Reason, ReasonCode}

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
    if (adaptive && Round.isAgain(original)) again(original, Round.again(original))
    else if (asksForLayouts(original)) planned(original, Round.first(original, adaptive))
    else original

  private def again(original: SparkPlan, round: Round): SparkPlan = {
    val gathered = if (isStreaming(original)) Gathered(original, Nil) else gather(original)
    round.memory.gather(gathered.removals)
    if (round.memory.open && asksForLayouts(gathered.plan)) planned(gathered.plan, round)
    else reportedBefore(gathered.plan, round)
  }

  private def gather(plan: SparkPlan): Gathered = new Gather(new Facts, conf)(plan)

  private def planned(original: SparkPlan, round: Round): SparkPlan =
    leftAlone(original) match {
      case Some(reason) =>
        round.memory.unseen = true
        reported(original, unplanned(declined(original, reason)))
      case None => search(withBroadcastSides(original, round), round)
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
    if (isStreaming(plan)) Some(Reason(ReasonCode.Streaming))
    else if (operators > most)
      Some(Reason(ReasonCode.PlanTooLarge, "operators" -> s"$operators", "limit" -> s"$most"))
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
      case (child, _: BroadcastDistribution) if asksForLayouts(child) => planned(child, round)
      case (child, _: BroadcastDistribution) => child
      case (child, _) => withBroadcastSides(child, round)
    }
    if (children.zip(plan.children).forall { case (a, b) => a eq b }) plan
    else plan.withNewChildren(children)
  }

  private def search(plan: SparkPlan, round: Round): SparkPlan = {
    val skew = new SkewWatch(adaptive, conf)
    val skewed = skew.seen(plan)
    val facts = new Facts
    val model = new CostModel(facts)
    val guard = new Guard(Mode.of(conf, hint), facts, model, conf)
    val revisit = new Revisit(round.memory, guard)
    if (round.again && skewed.isEmpty && !revisit.search(plan))
      reportedBefore(Replay(plan, round.memory), round)
    else {
      val complete = completed(plan)
      val laidOut = !complete.exists(_.isInstanceOf[ShuffleExchangeLike]) && keepsLayouts(plan)
      if (skewed.nonEmpty || !laidOut) {
        def context(sharing: Sharing) =
          new SearchContext(facts, model, guard, sharing, skew, new Settled(round.memory), conf)
        cheapest(plan, round, complete, context, model, skewed)
      } else if (round.again) reportedBefore(plan, round)
      else {
        val nothing = declined(plan, Reason(ReasonCode.NothingToDo))
        remember(plan, round, unplanned(nothing))
      }
    }
  }

  /** @param complete the plan as Spark alone would complete it */
  private def cheapest(
      plan: SparkPlan,
      round: Round,
      complete: SparkPlan,
      context: Sharing => SearchContext,
      model: CostModel,
      skewed: Seq[Decline]): SparkPlan = {
    round.memory.searches += 1
    val sharing = Sharing.of(plan)
    val first = context(sharing)
    val found = new Search(first).best(plan)
    round.memory.refuse(first.refused)

    val met = if (round.again && skewed.isEmpty) metAgain(found, round.memory) else None
    met.map(reportedBefore(_, round)).getOrElse {
      def priced(candidate: SparkPlan, complete: SparkPlan): Priced =
        Priced(candidate, complete, PlanCost.of(complete, model, sharing, usual))
      val stock = priced(plan, complete)
      def candidate(choice: Choice) = {
        val emitted = Choice.emit(choice)
        Candidate(choice, if (emitted eq plan) stock else priced(emitted, completed(emitted)))
      }
      val best = pinned(candidate(found), sharing, stock.cost)(pins =>
        candidate(new Search(context(pins)).best(plan)))
      decide(plan, round, stock, best, skewed, first.declined)
    }
  }

  /** With the shuffles and sorts that Spark adds. */
  private def completed(plan: SparkPlan): SparkPlan =
    EnsureRequirements(optimizeOutRepartition = !adaptive).apply(plan)

  /**
   * True where Spark sees by itself that rows lie as they must. It forgets so where partitions are
   * joined that were hashed on functions of the keys, unless the search puts a claim above them.
   */
  private def keepsLayouts(plan: SparkPlan): Boolean = !plan.exists {
    case stage: ShuffleQueryStageExec =>
      Layouts.hashes(stage.outputPartitioning).exists(!_.keys.forall(_.isInstanceOf[Attribute]))
    case _ => false
  }

  /** The plan, where the choice adds nothing to it but what an earlier round found worth it. */
  private def metAgain(choice: Choice, memory: PlanMemory): Option[SparkPlan] = {
    val emitted = Choice.emit(choice)
    val worthIt = memory.adopted && choice.isSettled(memory)
    Option.when((emitted eq choice.operator) || worthIt)(emitted)
  }

  private def reportedBefore(plan: SparkPlan, round: Round): SparkPlan =
    round.memory.report.fold(plan)(reported(plan, _))

  private def decide(
      plan: SparkPlan,
      round: Round,
      stock: Priced,
      best: Candidate,
      skewed: Seq[Decline],
      refused: Seq[Decline]): SparkPlan = {
    val adopted = skewed.nonEmpty || isBetter(best.priced.cost, stock.cost)
    if (adopted) {
      round.memory.adopted = true
      if (best.choice.claims) round.memory.claimed = true
      if (best.priced.plan.exists(_.isInstanceOf[ColocateLayoutClaim]))
        round.memory.byFunctions = true
      if (adaptive) best.choice.settle(round.memory)
      val ours = best.priced
      val removals = Differences.removals(stock.complete, ours.complete, best.choice.narrowed)
      remember(ours.plan, round,
        report(stock.cost, ours.cost, skewed ++ refused)
          .copy(removals = removals, narrowed = best.choice.narrowed))
    } else {
      val cause = notAdopted(plan, best.priced.cost, stock.cost)
      remember(plan, round, report(stock.cost, stock.cost, skewed ++ refused :+ cause))
    }
  }

  /** Gives one group of equal subplans after the other the layout that makes the plan cheapest. */
  private def pinned(start: Candidate, sharing: Sharing, stock: PlanCost)(
      candidate: Sharing => Candidate): Candidate = {
    val disagreeing = sharing.disagreeing(start.choice)
    val open = sharing.considered.filter { case (group, _) => disagreeing(group) }
    open.take(Sharing.MostGroups).foldLeft((start, sharing)) {
      case ((best, pins), (group, layouts)) =>
        val tried = layouts.take(Sharing.MostLayouts).map { layout =>
          val next = pins.withPin(group, layout)
          (candidate(next), next)
        }
        ((best, pins) +: tried).minBy(_._1.priced.cost.beside(stock))
    }._1
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
        Reason(ReasonCode.NotCheaper, "cost" -> Bytes.text(ours.beside(stock)),
          "stock" -> Bytes.text(stock.cost))
    declined(plan, reason)
  }

  private def declined(plan: SparkPlan, reason: Reason): Decline =
    Decline(plan.nodeName, Nil, reason)

  /** Keeps what was planned. Later rounds no longer see what the first one counted. */
  private def remember(plan: SparkPlan, round: Round, report: ExchangeReport): SparkPlan = {
    val whole = round.memory.report.filter(_ => round.again).fold(report) { first =>
      // Neither do they see a skewed stage again, so what was seen once is kept.
      val skewed = report.declines.filter(_.reason.code == ReasonCode.SkewSeen)
      first.copy(declines = (skewed ++ first.declines).distinct)
    }
    round.memory.report = Some(whole)
    reported(plan, whole)
  }

  private def reported(plan: SparkPlan, report: ExchangeReport): SparkPlan = {
    plan.setTagValue(ExchangeReport.Tag, report)
    plan
  }

  private def unplanned(decline: Decline): ExchangeReport =
    report(PlanCost.Zero, PlanCost.Zero, Seq(decline))

  private def report(stock: PlanCost, ours: PlanCost, declines: Seq[Decline]): ExchangeReport =
    ExchangeReport(stock.exchanges, ours.exchanges, stock.bytes, ours.bytes, Nil, declines)
}

object ExchangePlanner {

  /** A plan with as many shuffles must be this much cheaper, and must not read anything twice. */
  private val WorthIt = 0.95

  /** Rounding of estimates. */
  private val BytesSlack = 1.001
}
