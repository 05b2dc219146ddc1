package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, EqualTo, Expression, IsNotNull, NamedExpression}
import org.apache.spark.sql.catalyst.optimizer.{ColumnPruning, PushDownPredicates}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.colocate.multiway.wcoj.Demand
import io.colocate.report.{Bytes, MultiwayReasons, Reason}

/**
 * Connected inputs of a region that form cycles, and the checks that only depend on their variables.
 *
 * @param core the inputs that form cycles
 */
final private[multiway] class CyclicCore(shape: JoinShape, val core: Set[Int]) {

  /** Variables of two or more of these inputs. */
  private val variables =
    core.toSeq.flatMap(shape.graph.edges).groupBy(identity).collect {
      case (v, in) if in.length > 1 => v
    }.toSeq.sorted

  private val largest =
    core.filter(shape.region.check(_).isEmpty).map(bytes).maxOption.getOrElse(BigInt(0))

  private def bytes(input: Int): BigInt = shape.inputs(input).stats.sizeInBytes

  private val (small, large) = shape.inputs.indices
    .filter(i => !core(i) && shape.asksBy(i, variables.toSet)).partition(bytes(_) <= largest)

  val inputs: Set[Int] = core ++ small

  /** True for a check that the join makes. A check in the core may depend on more than its variables. */
  def answers(input: Int): Boolean = inputs(input) && shape.asksBy(input, variables.toSet)

  /** All inputs whose rows are joined or looked up here. */
  def joins: Set[Int] = core.filter(shape.region.check(_).isEmpty) ++ inputs.filter(answers)

  /** The reasons for the checks that are too large to be made here. */
  def tooLarge: Seq[Reason] = large.map { i =>
    Reason(MultiwayReasons.CheckedAbove, "input" -> shape.name(i),
      "bytes" -> Bytes.text(bytes(i).toDouble), "largest" -> Bytes.text(largest.toDouble))
  }

  private val (implied, others) = shape.region.conditions.partition(shape.implied(_, core))

  private val (more, compared) = others.partitionMap { condition =>
    shape.comparison(condition, core).filter(_.variables.forall(variables.contains))
      .map(condition -> _).toRight(condition)
  }

  private val computed = more.flatMap { condition =>
    shape.condition(condition, core).filter(_.variables.forall(variables.contains))
      .map(condition -> _)
  }

  private val covered = implied ++ compared.map(_._1) ++ computed.map(_._1)

  /** True for a condition that the join checks. */
  def covers(condition: Expression): Boolean = covered.exists(_ eq condition)

  def join(needed: AttributeSet): MultiwayJoin = {
    val ordered = inputs.toSeq.sorted
    val keyed = ordered.map(i => new KeyedInput(shape, i, variables.filter(shape.variablesOf(i))))
    val output = keyed.flatMap(_.joined).filter(needed.contains)
    val numbers = variables.zipWithIndex.toMap
    MultiwayJoin(keyed.map(_.plan), keyed.map(_.keys), keyed.map(_.variables.map(numbers)),
      ordered.map(shape.demand), compared.map(_._2.map(numbers)).distinct,
      computed.map(_._2.map(numbers)).distinct, output, None)
  }
}

/** An input with a column for each of its variables: casts are computed, equal columns compared. */
final private class KeyedInput(shape: JoinShape, input: Int, val variables: Seq[Int]) {

  private val expressions = variables.map(shape.keys(input, _))
  private val named: Seq[NamedExpression] = expressions.map(_.head).map {
    case a: Attribute => a
    case e => Alias(e, "key")()
  }

  val keys: Seq[Attribute] = named.map(_.toAttribute)

  val plan: LogicalPlan = {
    val equal = expressions.flatMap(same => same.tail.map(EqualTo(same.head, _)))
    if (shape.demand(input) == Demand.EachRow) {
      val filtered = Joins.filtered(shape.inputs(input), equal)
      val computed = named.filterNot(_.isInstanceOf[Attribute])
      if (computed.isEmpty) filtered else Project(filtered.output ++ computed, filtered)
    } else onlyKeys(equal)
  }

  /** The columns that the join's rows can have. */
  def joined: Seq[Attribute] = if (shape.demand(input) == Demand.EachRow) plan.output else Nil

  /** In the form that the optimiser gives the inputs of inner joins, so that equal inputs are read once. */
  private def onlyKeys(equal: Seq[Expression]): LogicalPlan = {
    val present = expressions.map(_.head).filter(_.nullable).map(IsNotNull(_))
    val filtered = Joins.filtered(shape.inputs(input), present ++ equal)
    ColumnPruning(PushDownPredicates(Project(named, filtered)))
  }
}
