package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.types.EqualBits

/**
 * Rows hashed on a function of the keys are together for the keys.
 *
 * If every hashed expression is computed from the keys alone, rows that are equal on the keys are equal on
 * the expressions and meet. INTERSECT is an example: its join hashes `coalesce(a, ''), isnull(a)`, its
 * DISTINCT groups by `a`. A join on `a + 1` followed by a grouping by `a` is another.
 *
 * Not valid if equal keys may differ in bits ([[EqualBits]]): `1 / x` distinguishes -0.0 from 0.0,
 * `upper(s)` may distinguish strings that a collation treats as equal. Not valid for `a + rand()`.
 *
 * Whether rows may be hashed on such a function is another question. Where Spark alone computes it for the
 * same values, they may. Elsewhere it must never fail: hashed below a filter, `10 / a` would fail on a row
 * that the query drops.
 */
object FunctionOfKeys {

  /** True if the expression is computed from the keys alone, so that it is equal where these are. */
  def apply(expression: Expression, keys: Seq[Expression]): Boolean =
    !expression.isInstanceOf[Attribute] && expression.deterministic &&
      expression.references.nonEmpty && {
        val columns = keys.collect { case a: Attribute => a.exprId }.toSet
        expression.references.forall(a => columns(a.exprId) && EqualBits(a.dataType)) &&
        !expression.exists(_.isInstanceOf[PlanExpression[_]])
      }

  /** True if the expression can be computed for any row, also for one that the query drops. */
  def neverFails(expression: Expression): Boolean = expression match {
    case c: Cast => NeverFails.cast(c) && neverFails(c.child)
    case other => NeverFails.itself(other) && other.children.forall(neverFails)
  }

  /** True if the expression has about as many values as its columns. `year(d)` has fewer. */
  def keepsValues(expression: Expression): Boolean = expression match {
    case _: Attribute | _: Literal => true
    case _: Coalesce | _: IsNull | _: IsNotNull => expression.children.forall(keepsValues)
    case c: Cast => Cast.canUpCast(c.child.dataType, c.dataType) && keepsValues(c.child)
    // With constants around it, a text stays as different from others as it was.
    case Concat(parts) =>
      parts.count(_.references.nonEmpty) == 1 && parts.forall(keepsValues)
    case _ => false
  }
}
