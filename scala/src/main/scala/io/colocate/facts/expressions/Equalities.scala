package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType}

/**
 * Columns that a predicate makes equal or constant in every row that passes.
 *
 * `a = b` drops rows with NULL on either side, so both are non-NULL and equal afterwards. Only
 * types where equal values have equal bits count: with -0.0 = 0.0, or with a collation in which
 * 'a' = 'A', one column of a class is not a stand-in for another inside a function.
 */
object Equalities {

  /** Pairs of columns that the predicate makes equal. `a <=> b` is not one: both may be NULL. */
  def pairs(predicate: Expression): Seq[(ExprId, ExprId)] = conjuncts(predicate).collect {
    case EqualTo(a: Attribute, b: Attribute) if sameBits(a.dataType, b.dataType) =>
      (a.exprId, b.exprId)
  }

  /** Columns that the predicate fixes to one literal. */
  def constants(predicate: Expression): Set[ExprId] = conjuncts(predicate).collect {
    case EqualTo(a: Attribute, Literal(v, t)) if v != null && sameBits(a.dataType, t) => a.exprId
    case EqualTo(Literal(v, t), a: Attribute) if v != null && sameBits(a.dataType, t) => a.exprId
  }.toSet

  def sameBits(a: DataType, b: DataType): Boolean =
    a == b && a != FloatType && a != DoubleType && UnsafeRowUtils.isBinaryStable(a)

  /** Merges pairs into classes. */
  def merge(classes: Seq[Set[ExprId]], pairs: Seq[(ExprId, ExprId)]): Seq[Set[ExprId]] =
    pairs.foldLeft(classes) { case (cs, (a, b)) =>
      val (touched, rest) = cs.partition(c => c(a) || c(b))
      rest :+ touched.foldLeft(Set(a, b))(_ ++ _)
    }

  def conjuncts(predicate: Expression): Seq[Expression] = predicate match {
    case And(l, r) => conjuncts(l) ++ conjuncts(r)
    case other => Seq(other)
  }
}
