package io.colocate.programs.operators

import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.{CollectLimitExec, CollectTailExec, SortExec, SparkPlan, TakeOrderedAndProjectExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.joins.CartesianProductExec

import io.colocate.exchange.partitioning.Requirement

/** What an operator asks of the place of the rows that it is given. */
sealed abstract class Verdict(val text: String)

object Verdict {

  case object Input extends Verdict("an input")
  case object Free extends Verdict("free")
  case object SameKeys extends Verdict("same keys")
  case object OneTask extends Verdict("impossible: one task")
  case object TotalOrder extends Verdict("impossible: an order over all tasks")
  case object CrossProduct extends Verdict("impossible: all pairs")
  case object Shuffle extends Verdict("impossible: a shuffle that is asked for")
  case object Replicated extends Verdict("free, if one side is broadcast")
  case object Loop extends Verdict("same fields in each turn")
  case object NoRows extends Verdict("none of its rows are of an input")
  case object NotPlanned extends Verdict("only made while a query is prepared, or runs")
  case object Unknown extends Verdict("not analysed")

  /** What this operator asks, as Spark and the exchange planner have it; of a leaf only its row can say. */
  def of(operator: SparkPlan): Verdict = operator match {
    case _: ShuffleExchangeLike => Shuffle
    case _: CartesianProductExec => CrossProduct
    case sort: SortExec if sort.global => TotalOrder
    // They bring the first rows of each task to one without an exchange.
    case _: CollectLimitExec | _: CollectTailExec | _: TakeOrderedAndProjectExec => OneTask
    case _ =>
      val asked = Requirement.of(operator)
      asked.collectFirst { case Requirement.Given(AllTuples) => OneTask }
        .orElse(asked.collectFirst { case Requirement.Given(_: OrderedDistribution) => TotalOrder })
        .orElse(asked.collectFirst { case _: Requirement.Together | _: Requirement.Aligned =>
          SameKeys
        })
        .orElse(asked.collectFirst { case Requirement.Given(_: BroadcastDistribution) =>
          Replicated
        })
        .orElse(asked.collectFirst { case Requirement.Given(_) => Unknown })
        .getOrElse(Free)
  }
}
