package io.colocate.explain.plan

import scala.util.Try

import org.apache.spark.sql.execution.{InputAdapter, ReusedSubqueryExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ReusedExchangeExec}

import io.colocate.rule.ColocateNode

/** The kind of an operator for a reader who looks for moved rows. */
sealed private[explain] trait OperatorKind
private[explain] object OperatorKind {
  case object Shuffle extends OperatorKind
  case object Broadcast extends OperatorKind
  case object Reused extends OperatorKind

  /** An operator of Colocate's. */
  case object Ours extends OperatorKind
  case object Other extends OperatorKind
}

/**
 * An operator and its subtree, as strings: all that the text, HTML and Mermaid views need.
 *
 * @param name   as explain() prints it ("Exchange")
 * @param detail the arguments, without ids that differ from run to run ("hashpartitioning(a, 5)")
 */
final private[explain] case class PlanPicture(
    name: String,
    detail: String,
    kind: OperatorKind,
    children: Seq[PlanPicture]) {

  def label: String =
    if (detail.isEmpty) name else if (detail.startsWith("(")) name + detail else s"$name $detail"
}

private[explain] object PlanPicture {

  /** The plan, then its subqueries. Wrappers that do nothing by themselves are left out. */
  def of(plan: SparkPlan): Seq[PlanPicture] = PlanWalk.parts(plan).map(draw)

  private def draw(plan: SparkPlan): PlanPicture = plan match {
    case wrapper @ (_: AdaptiveSparkPlanExec | _: QueryStageExec | _: WholeStageCodegenExec |
        _: InputAdapter) if PlanWalk.children(wrapper).size == 1 =>
      draw(PlanWalk.children(wrapper).head)
    case node =>
      PlanPicture(node.nodeName.trim, detail(node), kind(node), PlanWalk.children(node).map(draw))
  }

  private def kind(node: SparkPlan): OperatorKind = node match {
    case shuffle if PlanWalk.isShuffle(shuffle) => OperatorKind.Shuffle
    case _: BroadcastExchangeLike => OperatorKind.Broadcast
    case _: ReusedExchangeExec | _: ReusedSubqueryExec => OperatorKind.Reused
    case _: ColocateNode => OperatorKind.Ours
    case _ => OperatorKind.Other
  }

  /** The arguments as Spark writes them, shortened to those that show how rows are arranged. */
  private def detail(node: SparkPlan): String =
    Try(node.simpleString(MaxFields)).toOption.fold("") { text =>
      val arguments = text.trim.stripPrefix(node.nodeName.trim)
      Noise.foldLeft(arguments)((rest, noise) => noise.replaceAllIn(rest, "")).trim
    }

  private val MaxFields = 12

  /** Ids of expressions, plans and stages; details of a file scan beyond its table and columns. */
  private val Noise = Seq("""(?<=[\w)`])#\d+L?""".r, """,? ?\[?plan_id=\d+\]?""".r,
    """, (ENSURE_REQUIREMENTS|REPARTITION_BY_\w+|REBALANCE_\w+)""".r, """,? \[id=#?\d+\]""".r,
    """, specifiedwindowframe\(\w+, [^,]+, [^,()]+(\(\))?\)(?=\))""".r, """ Batched: .*$""".r)
}
