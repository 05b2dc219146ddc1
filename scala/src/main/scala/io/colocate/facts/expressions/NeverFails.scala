package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{BinaryType, NumericType, StringType}

/**
 * True of what has a value, or NULL, whatever the columns have. Others might fail on rows that Spark would
 * have dropped before: `a.x + b.y` overflows, unless it is `try_add` or `spark.sql.ansi.enabled` is off. A
 * cast whose result depends on the session, or is a text, is left where it is.
 */
private[colocate] object NeverFails {

  def apply(e: Expression): Boolean = safe(e) && e.children.forall(apply)

  private def safe(e: Expression): Boolean = e match {
    case _: Attribute | _: BoundReference | _: Literal => true
    case cast: Cast =>
      Cast.canUpCast(cast.child.dataType, cast.dataType) && !cast.needsTimeZone &&
      cast.dataType.isInstanceOf[NumericType]
    case _: BitwiseAnd | _: BitwiseOr | _: BitwiseXor | _: BitwiseNot => true
    case number: BinaryArithmetic =>
      number.dataType.isInstanceOf[NumericType] && number.evalContext.evalMode != EvalMode.ANSI
    case _: Concat => e.dataType.isInstanceOf[StringType] || e.dataType == BinaryType
    case _: Lower | _: Upper | _: StringTrim | _: StringTrimLeft | _: StringTrimRight | _: Year |
        _: Month | _: DayOfMonth | _: Coalesce | _: Least | _: Greatest | _: If | _: CaseWhen =>
      true
    case _: And | _: Or | _: Not | _: BinaryComparison | _: In | _: InSet | _: IsNull |
        _: IsNotNull | _: StringPredicate =>
      true
    case _ => false
  }
}
