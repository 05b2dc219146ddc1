package io.colocate.exchange.search

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.carried.CarriedKeys
import io.colocate.exchange.cost.{PlanCost, SharedSubplans}
import io.colocate.exchange.memory.{ExchangeFindings, Refusal}
import io.colocate.report.{Bytes, ExchangeReasons, Finding, PlanReport, Reason}

/**
 * Compares Spark's plan with Colocate's. Both are completed by Spark's EnsureRequirements before their
 * costs are computed; shared shuffles count once. Colocate's plan is taken only if it has no more shuffles,
 * no more bytes and a lower cost, and never if observed metrics would be counted twice.
 *
 * @param plan     the original plan, without the shuffles that Spark adds
 * @param complete the same with them
 * @param searched the plan for which partitionings are searched; the original, or that with [[CarriedKeys]]
 */
final class PlanComparison(
    plan: SparkPlan,
    complete: SparkPlan,
    searched: SparkPlan,
    outlook: PlanningContext) {
  import PlanComparison._

  private val sharing = SharedSubplans.of(searched, outlook.reused)
  private val first = outlook.context(sharing)

  /** The cheapest alternative before equal subplans are made to agree. */
  val found: Alternative = new Search(first).best(searched)

  /** What the guard refused. */
  val refused: Seq[Refusal] = first.refused

  private lazy val stock = priced(plan, complete)
  private lazy val ours = agreeing(candidate(found))

  /** The choice that is compared with Spark's plan. */
  def best: Alternative = ours.choice

  /** The plan of that choice. */
  def bestPlan: SparkPlan = ours.priced.plan

  /** The same with the shuffles that Spark adds. */
  def bestComplete: SparkPlan = ours.priced.complete

  /** True if joins compare more columns than in the original plan. */
  def carries: Boolean = searched ne plan

  /** True if this choice is taken rather than the other, which carries no columns. */
  def isBetterThan(other: PlanComparison): Boolean =
    isWon && !CarriedKeys.leavesItsStage(ours.priced.complete) &&
      (!other.isWon || ours.priced.cost.exchanges < other.ours.priced.cost.exchanges &&
        ours.priced.cost.beside(stock.cost) < other.ours.priced.cost.beside(stock.cost))

  def isWon: Boolean = {
    val (mine, theirs) = (ours.priced.cost, stock.cost)
    val cost = mine.beside(theirs)
    !mine.shufflesMore(theirs) && mine.observed <= theirs.observed &&
    (mine.exchanges < theirs.exchanges && cost < theirs.cost ||
      mine.reads <= theirs.reads && cost < theirs.cost * WorthIt)
  }

  /** The report if Colocate's plan is taken. */
  def reportOfOurs: PlanReport = {
    val removals =
      RemovedShuffles.removals(complete, ours.priced.complete, best.narrowed, sharing)
    PlanReport(stock.cost.shuffles, ours.priced.cost.shuffles,
      removals ++ outlook.skewed ++ outlook.unreadable ++ first.declined)
  }

  /** The report if Spark's plan is kept. */
  def reportOfStock: PlanReport =
    PlanReport(stock.cost.shuffles, stock.cost.shuffles,
      outlook.skewed ++ outlook.unreadable ++ first.declined :+ notTaken)

  private def notTaken: Finding = {
    val (mine, theirs) = (ours.priced.cost, stock.cost)
    val nothing = mine.exchanges == theirs.exchanges && mine.bytes >= theirs.bytes * 0.999
    ExchangeFindings.kept(plan.nodeName,
      if (nothing) Reason(ExchangeReasons.NothingToDo)
      else
        Reason(ExchangeReasons.NotCheaper, "cost" -> Bytes.text(mine.beside(theirs)),
          "stock" -> Bytes.text(theirs.cost)))
  }

  /** Gives each group of equal subplans in turn the partitioning that makes the plan cheapest. */
  private def agreeing(start: Candidate): Candidate = {
    val disagreeing = sharing.disagreeing(start.choice.shuffles)
    val open = sharing.considered.filter { case (group, _) => disagreeing(group) }
    open.take(SharedSubplans.MostGroups).foldLeft((start, sharing)) {
      case ((best, pins), (group, partitionings)) =>
        val tried = partitionings.take(SharedSubplans.MostPartitionings).map { partitioning =>
          val next = pins.withPin(group, partitioning)
          (candidate(new Search(outlook.context(next)).best(searched)), next)
        }
        ((best, pins) +: tried).minBy(_._1.priced.cost.beside(stock.cost))
    }._1
  }

  private def candidate(choice: Alternative): Candidate = {
    val emitted = Alternative.emit(choice)
    Candidate(choice, if (emitted eq plan) stock else priced(emitted, outlook.completed(emitted)))
  }

  private def priced(candidate: SparkPlan, complete: SparkPlan): Priced =
    Priced(candidate, complete, outlook.priced(complete, sharing))
}

object PlanComparison {

  private case class Priced(plan: SparkPlan, complete: SparkPlan, cost: PlanCost)
  private case class Candidate(choice: Alternative, priced: Priced)

  /**
   * The ratio of costs below which a plan with as many shuffles is taken; it must not read anything twice.
   */
  private val WorthIt = 0.95
}
