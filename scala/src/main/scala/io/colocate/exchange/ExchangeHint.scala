package io.colocate.exchange

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedHint}
import org.apache.spark.sql.catalyst.trees.TreePattern.UNRESOLVED_HINT
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

import io.colocate.rule.{HintNode, PlanRule}

/**
 * The hint that sets the exchange planner's mode for one query:
 * {{{
 *   SELECT /*+ COLOCATE(aggressive) */ ...        df.hint("colocate", "off")
 * }}}
 * It is a node of the logical plan, where every re-planning finds it. The physical plan has no operator for
 * it; there it is the logical link of the operator below it.
 */
case class ExchangeHint(mode: String, child: LogicalPlan) extends HintNode {
  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan =
    copy(child = newChild)
}

object ExchangeHint {

  private val Modes = Seq("off", "conservative", "aggressive")

  /** The mode that the plan's query asks for; the topmost hint wins if there are several. */
  def of(plan: SparkPlan): Option[String] = plan.collectFirst {
    case p if p.logicalLink.exists(mode(_).isDefined) => mode(p.logicalLink.get).get
  }

  // Spark's planner links the operator that it made of a node to that node, whichever strategy planned it.
  private def mode(link: LogicalPlan): Option[String] = link match {
    case hint: ExchangeHint => Some(hint.mode)
    case stage: LogicalQueryStage => mode(stage.logicalPlan)
    case _ => None
  }

  /** In analysis: replaces the hint as written by an [[ExchangeHint]]. */
  object Resolve extends PlanRule[LogicalPlan, LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan =
      plan.resolveOperatorsWithPruning(_.containsPattern(UNRESOLVED_HINT)) {
        case UnresolvedHint(name, parameters, child) if name.equalsIgnoreCase("colocate") =>
          ExchangeHint(accepted(parameters), child)
      }

    private def accepted(parameters: Seq[Any]): String = {
      val texts = parameters.map {
        case a: Attribute => a.name
        case l: Literal => String.valueOf(l.value)
        case e: Expression => e.sql
        case other => other.toString
      }.map(_.toLowerCase(Locale.ROOT))
      texts match {
        case Seq(mode) if Modes.contains(mode) => mode
        case _ =>
          val found = if (texts.isEmpty) "missing" else texts.mkString("'", ", ", "'")
          throw new IllegalArgumentException("[COLOCATE_INVALID_HINT] the argument of " +
            s"COLOCATE is $found; accepted: one of ${Modes.mkString(", ")}.")
      }
    }
  }
}
