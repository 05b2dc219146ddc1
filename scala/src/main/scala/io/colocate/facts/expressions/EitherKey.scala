package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.types.EqualBits

/**
 * The key of a join that one side or the other has, in each way that SQL has of writing it:
 * `COALESCE(l.a, r.a)`, also as NVL and IFNULL, and the column of `USING (a)`;
 * `CASE WHEN l.a IS NOT NULL THEN l.a ELSE r.a END`, also as IF, and with the sides exchanged.
 *
 * Where both keys are there, the join has found them equal, so all these ways give the same value. Not
 * valid for values that are equal and differ in bits ([[EqualBits]]), nor for `COALESCE(l.a, r.b)`.
 */
object EitherKey {

  /** True if the expression is the one of the two keys that is not NULL. */
  def apply(expression: Expression, left: Expression, right: Expression): Boolean =
    EqualBits(left.dataType) && left.dataType == right.dataType && left.deterministic &&
      right.deterministic && parts(expression).exists { case (first, second) =>
        same(first, left) && same(second, right) || same(first, right) && same(second, left)
      }

  /** What it is in Spark's own words. */
  def of(left: Expression, right: Expression): Expression = Coalesce(Seq(left, right))

  private def same(a: Expression, b: Expression): Boolean = a.semanticEquals(b)

  /** The value that is preferred, and the one for where that is NULL. */
  private def parts(expression: Expression): Seq[(Expression, Expression)] = expression match {
    case Coalesce(values) =>
      (1 until values.length).map { i =>
        val (first, second) = values.splitAt(i)
        (joined(first), joined(second))
      }
    case If(IsNotNull(tested), first, second) if same(tested, first) => Seq((first, second))
    case If(IsNull(tested), second, first) if same(tested, first) => Seq((first, second))
    case CaseWhen(Seq((condition, value)), Some(other)) => parts(If(condition, value, other))
    case _ => Nil
  }

  /** COALESCE(COALESCE(a, b), c) may be written COALESCE(a, b, c). */
  private def joined(values: Seq[Expression]): Expression =
    if (values.length == 1) values.head else Coalesce(values)
}
