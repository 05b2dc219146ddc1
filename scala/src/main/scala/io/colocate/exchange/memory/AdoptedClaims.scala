package io.colocate.exchange.memory

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.exchange.claims.{ClaimFact, ColocateClaim}

/**
 * The claims of adopted plans, each at its operator, and the inputs that these plans shuffle, in a form that
 * every re-planning of the query finds again.
 *
 * A fact of an operator's rows stays true of the same logical operator in the same query, and what follows
 * for the partitioning is derived anew from what is below. So a later planning may claim it without proving
 * it again. It may also have to claim something else: then Spark adds a shuffle where the adopted plan has
 * none.
 */
final class AdoptedClaims extends Serializable {

  private val facts = TrieMap.empty[String, Seq[ClaimFact]]
  private val shuffled = TrieMap.empty[String, Unit]

  /**
   * @param plan     an adopted plan, before Spark adds its shuffles
   * @param complete the same with them
   */
  def note(plan: SparkPlan, complete: SparkPlan): Unit = {
    plan.foreach {
      case ColocateClaim(operator, stated) => facts.put(place(operator), stated)
      case _ =>
    }
    shuffledInputs(complete).foreach(shuffled.put(_, ()))
  }

  /** What was claimed of the operator's rows. */
  def apply(operator: SparkPlan): Seq[ClaimFact] =
    if (facts.isEmpty) Nil else facts.getOrElse(place(operator), Nil)

  /** True if a complete plan of the rest of the query shuffles what no adopted plan does. */
  def shufflesMore(complete: SparkPlan): Boolean =
    !shuffledInputs(complete).forall(shuffled.contains)

  def forget(): Unit = {
    facts.clear()
    shuffled.clear()
  }

  /** The halves of an aggregate stand for one logical operator, and differ in their columns. */
  private def place(operator: SparkPlan): String =
    PlanMemory.edge(operator, 0, operator.output)

  private def shuffledInputs(complete: SparkPlan): Seq[String] = complete.collect {
    case operator if !operator.isInstanceOf[ShuffleExchangeLike] && !isBetween(operator) =>
      operator.children.zip(operator.requiredChildDistribution).zipWithIndex.collect {
        case ((child, asked), i) if isShuffled(child) =>
          val keys = asked match {
            case clustered: ClusteredDistribution => clustered.clustering
            case _ => Nil
          }
          PlanMemory.edge(operator, i, keys)
      }
  }.flatten

  /** What may stand between a shuffle and the operator that it is for. */
  private def isBetween(plan: SparkPlan): Boolean = plan match {
    case sort: SortExec => !sort.global
    case _ => plan.isInstanceOf[ColocateClaim]
  }

  private def isShuffled(plan: SparkPlan): Boolean = plan match {
    case _: ShuffleExchangeLike => true
    case other => isBetween(other) && isShuffled(other.children.head)
  }
}
