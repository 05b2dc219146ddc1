package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/**
 * True if evaluating the expression cannot raise an error for any input row. An expression that can must
 * not see rows that Spark would have dropped first: `a.x + b.y` overflows, unless it is `try_add` or
 * `spark.sql.ansi.enabled` is off. A cast counts as one that can fail if its result depends on the session
 * or is not a number.
 *
 * Pruning has a check of its own (Compiled.mayFail), which knows the values in a file: `1 / x` does not
 * fail there if x is between 2 and 5.
 */
private[colocate] object NeverFails {

  def apply(e: Expression): Boolean = itself(e) && e.children.forall(apply)

  /** True if the expression does not fail where its inputs do not. */
  def itself(e: Expression): Boolean = e match {
    case _: Attribute | _: BoundReference | _: Literal => true
    case c: Cast => cast(c) && !c.needsTimeZone && c.dataType.isInstanceOf[NumericType]
    case _: BitwiseAnd | _: BitwiseOr | _: BitwiseXor | _: BitwiseNot => true
    case number: BinaryArithmetic =>
      number.dataType.isInstanceOf[NumericType] && number.evalContext.evalMode != EvalMode.ANSI
    case _: Concat => e.dataType.isInstanceOf[StringType] || e.dataType == BinaryType
    case _: Lower | _: Upper | _: StringTrim | _: StringTrimLeft | _: StringTrimRight |
        _: Substring | _: Coalesce | _: Least | _: Greatest | _: If | _: CaseWhen =>
      true
    case _: Year | _: Quarter | _: Month | _: WeekOfYear | _: DayOfYear | _: DayOfMonth |
        _: DayOfWeek | _: Hour | _: Minute | _: Second =>
      true
    case _: GetStructField | _: CreateNamedStruct => true
    case _: And | _: Or | _: Not | _: BinaryComparison | _: In | _: InSet | _: IsNull |
        _: IsNotNull | _: StringPredicate =>
      true
    case _ => false
  }

  /**
   * True if the cast itself cannot fail, because its type holds all values of its child's type. Spark
   * assumes that a timestamp holds all dates, but DATE '300000-01-01' has no timestamp and raises an error.
   */
  def cast(c: Cast): Boolean =
    Cast.canUpCast(c.child.dataType, c.dataType) &&
      (c.child.dataType == c.dataType || !holdsInstants(c.dataType))

  private def holdsInstants(dataType: DataType): Boolean = dataType match {
    case TimestampType | TimestampNTZType => true
    case array: ArrayType => holdsInstants(array.elementType)
    case map: MapType => holdsInstants(map.keyType) || holdsInstants(map.valueType)
    case struct: StructType => struct.exists(field => holdsInstants(field.dataType))
    case _ => false
  }
}
