package io.colocate.exchange

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode, UnresolvedHint}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

/**
 * The hint that sets the exchange planner's mode for one query:
 * {{{
 *   SELECT /*+ COLOCATE(aggressive) */ ...        df.hint("colocate", "off")
 * }}}
 * It stands in the logical plan until the query is planned, and hangs then as a tag on the operator
 * it stood above, where every re-planning finds it.
 */
case class ExchangeHint(mode: String, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan =
    copy(child = newChild)
}

object ExchangeHint {

  private val Tag = TreeNodeTag[String]("colocate.exchange.mode")
  private val Modes = Seq("off", "conservative", "aggressive")

  /** The mode that the plan's query asks for. */
  def of(plan: SparkPlan): Option[String] = plan.collectFirst {
    case p if p.logicalLink.exists(mode(_).isDefined) => mode(p.logicalLink.get).get
  }

  private def mode(link: LogicalPlan): Option[String] = link match {
    case stage: LogicalQueryStage =>
      stage.getTagValue(Tag).orElse(stage.logicalPlan.getTagValue(Tag))
    case other => other.getTagValue(Tag)
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
          throw new IllegalArgumentException("[COLOCATE_INVALID_HINT] the argument of " +
            s"COLOCATE is '${texts.mkString(", ")}'; accepted: one of ${Modes.mkString(", ")}.")
      }
    }
  }

  /** Planning: the node leaves a tag on what it stood above. */
  object Plan extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
      case ExchangeHint(mode, child) =>
        child.setTagValue(Tag, mode)
        Seq(planLater(child))
      case _ => Nil
    }
  }
}
