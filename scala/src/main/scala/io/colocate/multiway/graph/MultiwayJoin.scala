package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, EqualTo, Expression, And, LessThan, LessThanOrEqual, Literal, Not}
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.catalyst.plans.{Inner, LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.multiway.model.VariableCondition
import io.colocate.multiway.wcoj.{Comparison, Demand}

/**
 * Inputs that are joined on all their common variables at once.
 *
 * @param keys        for each input the columns that are variables, each variable once
 * @param variables   for each input the numbers of these variables
 * @param demands     what the join requires of each input
 * @param comparisons comparisons of variables that the rows must satisfy
 * @param conditions  other conditions on variables that the rows must satisfy
 * @param output      columns of the inputs, then the weight if rows are counted
 * @param counted     the number of join rows that each row stands for; without it, rows are repeated
 */
case class MultiwayJoin(
    children: Seq[LogicalPlan],
    keys: Seq[Seq[Attribute]],
    variables: Seq[Seq[Int]],
    demands: Seq[Demand],
    comparisons: Seq[Comparison],
    conditions: Seq[VariableCondition],
    output: Seq[Attribute],
    counted: Option[Attribute])
    extends LogicalPlan {

  override def producedAttributes: AttributeSet = AttributeSet(counted)

  /** The inputs whose rows are joined. */
  private[multiway] def joined: Seq[Int] = children.indices.filter(demands(_) == Demand.EachRow)

  /** The most rows that the inputs' sizes allow; if rows are unknown, Spark's product of bytes. */
  override def stats: Statistics = statsCache.getOrElse {
    statsCache = Some(bounded)
    statsCache.get
  }

  private def bounded: Statistics = {
    val product = joined.map(children(_).stats.sizeInBytes).product
    // An input that must have a row limits the result as much as if its rows were joined.
    val bounding = children.indices.filter(demands(_) != Demand.NoRow)
    val rows = bounding.map(children(_).stats.rowCount)
    if (rows.exists(_.isEmpty)) Statistics(product)
    else {
      val bound = AgmBound.log(bounding.map(variables(_).toSet),
        rows.flatten.map(r => math.log(r.toDouble.max(1))))
      val most = BigDecimal(math.exp(bound.min(MultiwayJoin.LargestLog))).toBigInt + 1
      Statistics(EstimationUtils.getSizePerRow(output) * most, Some(most))
    }
  }

  /** The same join by joins of two inputs each. */
  def binary: LogicalPlan = {
    val bound =
      joined.flatMap(i => variables(i).zip(keys(i))).groupMap(_._1)(_._2)
    val checks = children.indices.diff(joined).map { i =>
      Check(children(i), demands(i) == Demand.NoRow,
        variables(i).zip(keys(i)).map { case (v, key) => EqualTo(bound(v).head, key) })
    }
    val equal = bound.values.toSeq.flatMap(same => same.tail.map(EqualTo(same.head, _)))
    val compared = comparisons.map { case Comparison(left, right, by) =>
      val (a, b) = (bound(left).head, bound(right).head)
      by match {
        case Comparison.Less => LessThan(a, b)
        case Comparison.LessOrEqual => LessThanOrEqual(a, b)
        case Comparison.Unequal => Not(EqualTo(a, b))
      }
    }
    val computed = conditions.map(_.withVariables((v, _) => bound(v).head))
    val columns = output.map { a =>
      if (counted.exists(_.exprId == a.exprId)) Alias(Literal(1L), a.name)(exprId = a.exprId) else a
    }
    NormalizeFloatingNumbers(Project(columns,
      Joins.leftDeep(joined.map(children), equal ++ compared ++ computed, checks)))
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): MultiwayJoin = copy(children = newChildren)
}

object MultiwayJoin {

  private val LargestLog = 100.0

  /** True if the user asked for it, by a hint or the mode. */
  private[multiway] val Forced = TreeNodeTag[Boolean]("colocate.multiway.forced")

  /** True if a LIMIT takes the first of its rows, in any order. */
  private[multiway] val Limited = TreeNodeTag[Boolean]("colocate.multiway.limited")
}

/** Joins of two inputs each. */
private[multiway] object Joins {

  /** From the first input on, always takes the next connected one; makes checks as soon as possible. */
  def leftDeep(
      inputs: Seq[LogicalPlan],
      conditions: Seq[Expression],
      checks: Seq[Check]): LogicalPlan = {
    val (here, later) = conditions.partition(_.references.subsetOf(inputs.head.outputSet))
    grow(filtered(inputs.head, here), inputs.tail, later, checks)
  }

  private def grow(
      plan: LogicalPlan,
      inputs: Seq[LogicalPlan],
      conditions: Seq[Expression],
      checks: Seq[Check]): LogicalPlan = {
    val (now, later) =
      if (inputs.isEmpty) (checks, Nil) else checks.partition(possible(_, plan))
    val left = now.foldLeft(plan)(checked)
    if (inputs.isEmpty) filtered(left, conditions)
    else {
      def known(right: LogicalPlan) =
        conditions.filter(_.references.subsetOf(left.outputSet ++ right.outputSet))
      val right = inputs.find(known(_).nonEmpty).getOrElse(inputs.head)
      val on = known(right)
      grow(Join(left, right, Inner, on.reduceOption(And(_, _)), JoinHint.NONE),
        inputs.filterNot(_ eq right), conditions.filterNot(c => on.exists(_ eq c)), later)
    }
  }

  private def possible(check: Check, plan: LogicalPlan): Boolean =
    check.conditions.forall(_.references.subsetOf(plan.outputSet ++ check.input.outputSet))

  private def checked(plan: LogicalPlan, check: Check): LogicalPlan =
    Join(plan, check.input, if (check.anti) LeftAnti else LeftSemi,
      check.conditions.reduceOption(And(_, _)), JoinHint.NONE)

  def filtered(plan: LogicalPlan, conditions: Seq[Expression]): LogicalPlan =
    conditions.reduceOption(And(_, _)).fold(plan)(Filter(_, plan))
}
