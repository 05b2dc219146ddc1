package io.colocate.testing

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable

import org.apache.spark.sql.execution.{CommandResultExec, ReusedSubqueryExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.{ReusedExchangeExec, ShuffleExchangeLike}

/**
 * The shuffles of a plan. A reused one is not counted again; subqueries are, stages and adaptive
 * plans are looked into, cached relations are not.
 */
object Exchanges {

  def of(plan: SparkPlan): Seq[ShuffleExchangeLike] =
    nodes(plan).collect { case exchange: ShuffleExchangeLike => exchange }

  def count(plan: SparkPlan): Int = of(plan).size

  /** Every node that runs, each once, parents first. */
  def nodes(plan: SparkPlan): Seq[SparkPlan] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = mutable.ArrayBuffer.empty[SparkPlan]
    def visit(node: SparkPlan): Unit = if (seen.add(node)) {
      found += node
      below(node).foreach(visit)
    }
    visit(plan)
    found.toSeq
  }

  /** What runs below a node: of an adaptive plan the newest version, of a stage its plan. */
  def below(node: SparkPlan): Seq[SparkPlan] = node match {
    case adaptive: AdaptiveSparkPlanExec => Seq(adaptive.executedPlan)
    case stage: QueryStageExec => Seq(stage.plan)
    case command: CommandResultExec => Seq(command.commandPhysicalPlan)
    case _: ReusedExchangeExec | _: ReusedSubqueryExec => Nil
    case other => other.children ++ other.subqueries
  }

  /** How each shuffle places its rows, without expression ids. */
  def partitionings(plan: SparkPlan): Seq[String] =
    of(plan).map(_.outputPartitioning.toString.replaceAll("#\\d+L?|(?<=_gen_alias_)\\d+",
      "")).sorted

  /** Rows written by the shuffles of a plan that was run. */
  def recordsWritten(plan: SparkPlan): Long = metric(plan, "shuffleRecordsWritten")

  /** Bytes written by the shuffles of a plan that was run. */
  def bytesWritten(plan: SparkPlan): Long = metric(plan, "shuffleBytesWritten")

  private def metric(plan: SparkPlan, name: String): Long =
    of(plan).flatMap(_.metrics.get(name)).map(_.value).sum
}
