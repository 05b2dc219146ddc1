package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.types.EqualBits

/**
 * Rows hashed on a function of the keys are together for the keys.
 *
 * If every hashed expression is computed from the keys alone, rows that are equal on the keys are equal on
 * the expressions and meet. INTERSECT is an example: its join hashes `coalesce(a, ''), isnull(a)`, its
 * DISTINCT groups by `a`.
 *
 * Not valid if equal keys may differ in bits ([[EqualBits]]): `1 / x` distinguishes -0.0 from 0.0,
 * `upper(s)` may distinguish strings that a collation treats as equal. Not valid for expressions that can
 * fail: hashed below a filter they would fail on rows that the query drops. So only the few expressions
 * count that Spark's own plans hash and that never fail ([[NeverFails]]).
 */
object FunctionOfKeys {

  /** True if the expression is computed from the keys alone. */
  def apply(expression: Expression, keys: Seq[Expression]): Boolean = {
    val columns = keys.collect { case a: Attribute => a.exprId }.toSet
    !expression.isInstanceOf[Attribute] && expression.references.nonEmpty && few(expression) &&
    expression.references.forall(a => columns(a.exprId) && EqualBits(a.dataType))
  }

  private def few(expression: Expression): Boolean = expression match {
    case _: Attribute | _: Literal => true
    case _: Coalesce | _: IsNull | _: IsNotNull => expression.children.forall(few)
    case c: Cast => NeverFails.cast(c) && few(c.child)
    case _ => false
  }
}
