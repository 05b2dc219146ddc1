package io.colocate.multiway.model

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.DataType

import io.colocate.multiway.wcoj.RankFunction

/**
 * A condition on variables that is not a comparison of two of them, such as `v2 = greatest(v0, v1)`.
 *
 * @param expression each [[BoundReference]] in it is a variable, by its number; it must never fail, as
 *                   it is evaluated on values that no row has together
 */
final private[multiway] case class VariableCondition(expression: Expression) {

  def variables: Set[Int] = VariableCondition.variables(expression)

  def map(variable: Int => Int): VariableCondition =
    copy(withVariables((v, dataType) => BoundReference(variable(v), dataType, nullable = false)))

  /** The condition with other expressions in place of its variables. */
  def withVariables(of: (Int, DataType) => Expression): Expression =
    expression.transform { case BoundReference(v, dataType, _) => of(v, dataType) }

  /** The expression for the value of a variable, if other variables determine it. */
  private[multiway] def value(variable: Int): Option[Expression] = {
    def unlessOwn(by: Expression) = Option.unless(VariableCondition.variables(by)(variable))(by)
    expression match {
      case EqualTo(BoundReference(`variable`, _, _), by) => unlessOwn(by)
      case EqualTo(by, BoundReference(`variable`, _, _)) => unlessOwn(by)
      case _ => None
    }
  }

  override def toString: String =
    withVariables((v, dataType) => AttributeReference(s"v$v", dataType)()).sql
}

private[multiway] object VariableCondition {
  def variables(e: Expression): Set[Int] = e.collect { case BoundReference(v, _, _) => v }.toSet
}

/** The same for ranks: looks up the values and evaluates the condition. For one thread at a time. */
final private[multiway] class ConditionOnRanks(
    condition: VariableCondition,
    types: Seq[DataType],
    domains: Array[Domain])
    extends RankFunction {

  override val variables: Set[Int] = condition.variables

  private val own = variables.toArray
  private val values = new SpecificInternalRow(types)
  private val predicate = Predicate.create(condition.expression)
  private val functions: Map[Int, Projection] = own.flatMap { v =>
    condition.value(v).map(by => v -> SafeProjection.create(Seq(by)))
  }.toMap

  override def holds(bound: Array[Int]): Boolean = {
    own.foreach(v => domains(v).set(values, v, bound(v)))
    predicate.eval(values)
  }

  override def gives(variable: Int): Boolean = functions.contains(variable)

  override def rank(variable: Int, bound: Array[Int]): Int = {
    own.foreach(v => if (v != variable) domains(v).set(values, v, bound(v)))
    domains(variable).rank(functions(variable)(values), 0)
  }
}
