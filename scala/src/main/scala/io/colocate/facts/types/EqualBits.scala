package io.colocate.facts.types

import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types._

/**
 * True of types whose equal values have equal bits, so that one value can replace the other: in a hash,
 * inside a function, among the values of a file.
 *
 * Not of floating-point numbers, because -0.0 = 0.0 and one NaN equals another, nor of strings with a
 * collation in which 'a' = 'A', nor of types that contain such values: `[-0.0] = [0.0]`.
 *
 * [[Orderable]] answers another question: whether files can be cut by an order of the values. Doubles have
 * an order but not equal bits, arrays of numbers the reverse. Code that compares ranges with hashed keys
 * needs both.
 */
object EqualBits {

  def apply(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType | _: MapType => false
    case array: ArrayType => apply(array.elementType)
    case struct: StructType => struct.forall(field => apply(field.dataType))
    case user: UserDefinedType[_] => apply(user.sqlType)
    case other => UnsafeRowUtils.isBinaryStable(other)
  }
}
