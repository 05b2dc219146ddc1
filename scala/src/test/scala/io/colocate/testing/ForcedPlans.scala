package io.colocate.testing

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.{CoalesceExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/**
 * Plans with a shuffle taken out by force, to show that a test which demands the shuffle can fail.
 * They expect a prepared plan without whole-stage code generation, and without adaptive execution
 * unless they say so.
 */
object ForcedPlans {

  /** Ways of taking out a shuffle by name: an ordinal among the shuffles, top down, or a forcer. */
  def apply(plan: SparkPlan, how: Map[String, String]): SparkPlan =
    how.get("force").map(n => without(plan, n.toInt)).getOrElse(forcers(how("forcer"))(plan))

  private val forcers: Map[String, SparkPlan => SparkPlan] =
    Map("coalescedSide" -> coalescedSide)

  def without(plan: SparkPlan, ordinal: Int): SparkPlan = {
    val gone = shuffles(plan)(ordinal)
    plan.transform { case s: ShuffleExchangeExec if s.eq(gone) => s.child }
  }

  /** Takes out the shuffle above a side of two partitions and gives the other side two as well. */
  private def coalescedSide(plan: SparkPlan): SparkPlan = {
    val Seq(left, right, _*) = Seq(shuffles(plan).head, shuffles(plan).last)
    plan.transform {
      case s: ShuffleExchangeExec if s.eq(left) => s.child
      case s: ShuffleExchangeExec if s.eq(right) =>
        val keys = s.outputPartitioning.asInstanceOf[HashPartitioning].expressions
        s.copy(outputPartitioning = HashPartitioning(keys, 2))
    }
  }

  /** An operator of an adaptive plan that has run, on the input of the finished shuffle below it. */
  def withoutStage(operator: SparkPlan): SparkPlan = operator match {
    case read: AQEShuffleReadExec => withoutStage(read.child)
    case stage: ShuffleQueryStageExec => stage.shuffle.child
    case other => other.withNewChildren(other.children.map(withoutStage))
  }

  /** An operator of an adaptive plan that has run, reading every partition of the stages below apart. */
  def uncoalesced(operator: SparkPlan): SparkPlan = operator match {
    case CoalesceExec(1, child) => uncoalesced(child)
    case read: AQEShuffleReadExec => read.child
    case stage: ShuffleQueryStageExec => stage
    case other => other.withNewChildren(other.children.map(uncoalesced))
  }

  /** The rows of a prepared plan. */
  def rows(plan: SparkPlan): Seq[Row] = {
    val convert = CatalystTypeConverters.createToScalaConverter(plan.schema)
    plan.executeCollect().map(convert(_).asInstanceOf[Row]).toSeq
  }

  private def shuffles(plan: SparkPlan): Seq[ShuffleExchangeExec] =
    plan.collect { case s: ShuffleExchangeExec => s }
}
