package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types._

/**
 * Rows hashed on a function of the keys are together for the keys.
 *
 * If every hashed expression is computed from the keys alone, rows that are equal on the keys are
 * equal on the expressions and meet. INTERSECT shows the case: its join hashes
 * `coalesce(a, ''), isnull(a)`, its DISTINCT groups by `a`.
 *
 * Not valid where equal keys may differ in bits: `1 / x` tells -0.0 from 0.0, `upper(s)` may tell
 * apart what a collation calls equal. Not valid for expressions that can fail: hashed below a filter
 * they would fail on rows that the query drops. So types are held to those with one bit pattern for
 * each value, and expressions to a few that never fail.
 */
object FunctionOfKeys {

  /** True where the expression is computed from the keys alone. */
  def apply(expression: Expression, keys: Seq[Expression]): Boolean = {
    val columns = keys.collect { case a: Attribute => a.exprId }.toSet
    !expression.isInstanceOf[Attribute] && expression.references.nonEmpty && safe(expression) &&
    expression.references.forall(a => columns(a.exprId) && oneBitPattern(a.dataType))
  }

  private def safe(expression: Expression): Boolean = expression match {
    case _: Attribute | _: Literal => true
    case _: Coalesce | _: IsNull | _: IsNotNull => expression.children.forall(safe)
    case c: Cast => Cast.canUpCast(c.child.dataType, c.dataType) && safe(c.child)
    case _ => false
  }

  private def oneBitPattern(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType | _: MapType | _: ArrayType | _: StructType => false
    case _: UserDefinedType[_] => false
    case other => UnsafeRowUtils.isBinaryStable(other)
  }
}
