package io.colocate.exchange

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, UnaryNode, UnresolvedHint}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{TreePattern, UNRESOLVED_HINT}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

/**
 * The hint that sets the exchange planner's mode for one query:
 * {{{
 *   SELECT /*+ COLOCATE(aggressive) */ ...        df.hint("colocate", "off")
 * }}}
 * It stands in the logical plan, where every re-planning finds it, and leaves no operator in the
 * physical one: there it is what the operator below it comes from.
 */
case class ExchangeHint(mode: String, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  // Of Spark's patterns the one that says what this is; a plan without hints is not searched for it.
  final override val nodePatterns: Seq[TreePattern] = Seq(UNRESOLVED_HINT)

  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan =
    copy(child = newChild)
}

object ExchangeHint {

  private val Modes = Seq("off", "conservative", "aggressive")

  /** The mode that the plan's query asks for, the topmost hint's where there are several. */
  def of(plan: SparkPlan): Option[String] = plan.collectFirst {
    case p if p.logicalLink.exists(mode(_).isDefined) => mode(p.logicalLink.get).get
  }

  // Spark's planner links what it made of a node to the node, whatever strategy handed it on.
  private def mode(link: LogicalPlan): Option[String] = link match {
    case hint: ExchangeHint => Some(hint.mode)
    case stage: LogicalQueryStage => mode(stage.logicalPlan)
    case _ => None
  }

  /** Analysis: the hint as written becomes a node of ours. */
  object Resolve extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
      case UnresolvedHint(name, parameters, child) if name.equalsIgnoreCase("colocate") =>
        ExchangeHint(accepted(parameters), child)
    }

    private def accepted(parameters: Seq[Any]): String = {
      val texts = parameters.map {
        case a: UnresolvedAttribute => a.name
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

  /** Optimisation: what is pushed towards the tables, filters and columns left out, passes by. */
  object Lift extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan =
      plan.transformUpWithPruning(_.containsPattern(UNRESOLVED_HINT)) {
        case filter @ Filter(_, hint: ExchangeHint) => above(filter, hint)
        case project @ Project(_, hint: ExchangeHint) => above(project, hint)
      }

    private def above(node: UnaryNode, hint: ExchangeHint): LogicalPlan =
      hint.copy(child = node.withNewChildren(Seq(hint.child)))
  }

  /** Planning: the node adds no operator. */
  object Plan extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case ExchangeHint(_, child) => Seq(planLater(child))
      case _ => Nil
    }
  }
}
