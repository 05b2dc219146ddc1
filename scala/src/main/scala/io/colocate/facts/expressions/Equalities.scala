package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.types.EqualBits

/**
 * Columns that a predicate makes equal, constant or not NULL in every row that passes.
 *
 * `a = b` drops rows with NULL on either side, so both are non-NULL and equal afterwards. Only types whose
 * equal values have equal bits count ([[EqualBits]]): for other types, one column of a class cannot replace
 * another inside a function.
 */
object Equalities {

  /** Pairs of columns that the predicate makes equal. `a <=> b` gives no pair: both may be NULL. */
  def pairs(predicate: Expression): Seq[(ExprId, ExprId)] = conjuncts(predicate).collect {
    case EqualTo(a, b) => pair(a, b)
  }.flatten

  /** The pair that `a = b` makes of two columns. */
  def pair(a: Expression, b: Expression): Option[(ExprId, ExprId)] = (a, b) match {
    case (a: Attribute, b: Attribute) if sameBits(a, b) => Some(a.exprId -> b.exprId)
    case _ => None
  }

  /** Columns that the predicate fixes to one literal. */
  def constants(predicate: Expression): Set[ExprId] = conjuncts(predicate).collect {
    case EqualTo(a: Attribute, value: Literal) if isOne(a, value) => a.exprId
    case EqualTo(value: Literal, a: Attribute) if isOne(a, value) => a.exprId
  }.toSet

  /** Columns that hold NULL in no row that passes. */
  def notNull(predicate: Expression): Set[ExprId] = conjuncts(predicate).flatMap {
    case IsNotNull(a: Attribute) => Seq(a)
    case EqualTo(a, b) => Seq(a, b).collect { case column: Attribute => column }
    case _ => Nil
  }.map(_.exprId).toSet

  private def isOne(a: Attribute, value: Literal): Boolean =
    value.value != null && sameBits(a, value)

  private def sameBits(a: Expression, b: Expression): Boolean =
    a.dataType == b.dataType && EqualBits(a.dataType)

  def conjuncts(predicate: Expression): Seq[Expression] = predicate match {
    case And(l, r) => conjuncts(l) ++ conjuncts(r)
    case other => Seq(other)
  }
}
