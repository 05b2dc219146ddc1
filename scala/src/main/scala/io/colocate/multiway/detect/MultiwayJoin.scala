package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, EqualTo, Expression, And, LessThan, LessThanOrEqual, Literal}
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.multiway.core.Comparison
import io.colocate.reason.Reason

/**
 * Inputs that are joined on all their common variables at once.
 *
 * @param keys        of each input the columns that are variables, each variable once
 * @param variables   of each input the numbers of these variables
 * @param comparisons of variables that the rows have to meet
 * @param output      columns of the inputs, then the weight if rows are counted
 * @param counted     says how many rows of the join each row stands for; without it each comes as often
 */
case class MultiwayJoin(
    children: Seq[LogicalPlan],
    keys: Seq[Seq[Attribute]],
    variables: Seq[Seq[Int]],
    comparisons: Seq[Comparison],
    output: Seq[Attribute],
    counted: Option[Attribute])
    extends LogicalPlan {

  override def producedAttributes: AttributeSet = AttributeSet(counted)

  /** No more rows than the inputs' sizes allow; where rows are not known, Spark's product of bytes. */
  override def stats: Statistics = statsCache.getOrElse {
    statsCache = Some(bounded)
    statsCache.get
  }

  private def bounded: Statistics = {
    val product = children.map(_.stats.sizeInBytes).product
    val rows = children.map(_.stats.rowCount)
    if (rows.exists(_.isEmpty)) Statistics(product)
    else {
      val bound =
        AgmBound.log(variables.map(_.toSet), rows.flatten.map(r => math.log(r.toDouble.max(1))))
      val most = BigDecimal(math.exp(bound.min(MultiwayJoin.LargestLog))).toBigInt + 1
      Statistics(EstimationUtils.getSizePerRow(output) * most, Some(most))
    }
  }

  /** The same join by joins of two inputs each. */
  def binary: LogicalPlan = {
    val bound = keys.zip(variables).flatMap { case (k, v) => v.zip(k) }.groupMap(_._1)(_._2)
    val equal = bound.values.toSeq.flatMap(same => same.tail.map(EqualTo(same.head, _)))
    val compared = comparisons.map { case Comparison(less, greater, strict) =>
      val (a, b) = (bound(less).head, bound(greater).head)
      if (strict) LessThan(a, b) else LessThanOrEqual(a, b)
    }
    val columns = output.map { a =>
      if (counted.exists(_.exprId == a.exprId)) Alias(Literal(1L), a.name)(exprId = a.exprId) else a
    }
    NormalizeFloatingNumbers(Project(columns, Joins.leftDeep(children, equal ++ compared)))
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): MultiwayJoin = copy(children = newChildren)
}

object MultiwayJoin {

  private val LargestLog = 100.0

  /** How it is done, or why it is done by joins of two inputs each. */
  private[detect] val Choice = TreeNodeTag[Either[Reason, Placement]]("colocate.multiway.choice")

  /** True where the user asked for it, by a hint or the mode. */
  private[detect] val Forced = TreeNodeTag[Boolean]("colocate.multiway.forced")

  /** True where a LIMIT takes the first of its rows, in whatever order. */
  private[detect] val Limited = TreeNodeTag[Boolean]("colocate.multiway.limited")
}

/** Inner joins of two inputs each. */
private[detect] object Joins {

  /** From the first input on, always the next one that a condition connects. */
  def leftDeep(inputs: Seq[LogicalPlan], conditions: Seq[Expression]): LogicalPlan = {
    val (here, later) = conditions.partition(_.references.subsetOf(inputs.head.outputSet))
    grow(filtered(inputs.head, here), inputs.tail, later)
  }

  private def grow(
      left: LogicalPlan,
      inputs: Seq[LogicalPlan],
      conditions: Seq[Expression]): LogicalPlan =
    if (inputs.isEmpty) filtered(left, conditions)
    else {
      def known(right: LogicalPlan) =
        conditions.filter(_.references.subsetOf(left.outputSet ++ right.outputSet))
      val right = inputs.find(known(_).nonEmpty).getOrElse(inputs.head)
      val on = known(right)
      grow(Join(left, right, Inner, on.reduceOption(And(_, _)), JoinHint.NONE),
        inputs.filterNot(_ eq right), conditions.filterNot(c => on.exists(_ eq c)))
    }

  def filtered(plan: LogicalPlan, conditions: Seq[Expression]): LogicalPlan =
    conditions.reduceOption(And(_, _)).fold(plan)(Filter(_, plan))
}
