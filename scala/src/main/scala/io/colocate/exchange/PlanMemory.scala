package io.colocate.exchange

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{LogicalQueryStage, QueryStageExec}

/**
 * What the planner chose for a query, so that adaptive execution, which plans the rest of the query
 * anew after every stage, meets the same choices again. It hangs on the logical operators, which
 * survive re-planning.
 */
final class PlanMemory {

  private val layouts = TrieMap.empty[String, Seq[String]]

  /** What was reported when the query was planned first. */
  @volatile var report: Option[ExchangeReport] = None

  /** The keys that were chosen for the rows of child `i`. */
  def keys(operator: SparkPlan, i: Int, asked: ClusteredDistribution): Option[Seq[String]] =
    layouts.get(PlanMemory.edge(operator, i, asked.clustering))

  def settle(operator: SparkPlan, i: Int, asked: Seq[Expression], keys: Seq[Expression]): Unit =
    layouts.put(PlanMemory.edge(operator, i, asked), PlanMemory.texts(keys))
}

object PlanMemory {

  private val Tag = TreeNodeTag[PlanMemory]("colocate.exchange.memory")

  /** The memory of the query that this plan is a part of. */
  def of(plan: SparkPlan): Option[PlanMemory] = plan.collectFirst {
    case p if linked(p).isDefined => linked(p).get
  }

  /** A query that is planned for the first time has no stages yet. */
  def isReplan(plan: SparkPlan): Boolean = plan.exists(_.isInstanceOf[QueryStageExec])

  def start(plan: SparkPlan): PlanMemory = {
    val memory = new PlanMemory
    plan.foreach(_.logicalLink.foreach(_.setTagValue(Tag, memory)))
    memory
  }

  /** Keys with their ids, as a text that means the same in every re-planning of one query. */
  def texts(keys: Seq[Expression]): Seq[String] = keys.map(_.toString)

  private def linked(plan: SparkPlan): Option[PlanMemory] = plan.logicalLink.flatMap {
    case stage: LogicalQueryStage =>
      stage.getTagValue(Tag).orElse(stage.logicalPlan.getTagValue(Tag))
    case other => other.getTagValue(Tag)
  }

  private def edge(operator: SparkPlan, i: Int, asked: Seq[Expression]): String =
    s"${operator.nodeName}#$i(${texts(asked).mkString(",")})"
}
