package io.colocate.facts.types

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{EqualTo, Literal}
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.sql.types._

/** Types whose equal values have equal bits, and those that files can be cut by. */
class EqualBitsSuite extends AnyFunSuite {

  private val caseless = StringType("UTF8_LCASE")

  /** Of each type: are equal values equal bits, and are its values ordered. */
  private val types: Seq[(DataType, Boolean, Boolean)] = Seq((IntegerType, true, true),
    (StringType, true, true), (BinaryType, true, true), (DecimalType(38, 10), true, true),
    (DateType, true, true), (DoubleType, false, true), (FloatType, false, true),
    (caseless, false, false), (ArrayType(IntegerType), true, false),
    (ArrayType(DoubleType), false, false),
    (StructType(Seq(StructField("a", IntegerType), StructField("b", StringType))), true, false),
    (StructType(Seq(StructField("a", IntegerType), StructField("b", FloatType))), false, false),
    (ArrayType(StructType(Seq(StructField("a", caseless)))), false, false),
    (MapType(IntegerType, IntegerType), false, false), (new Wrapped(IntegerType), true, false),
    (new Wrapped(DoubleType), false, false))

  for ((dataType, equalBits, ordered) <- types)
    test(s"${dataType.getClass.getSimpleName} ${dataType.sql}") {
      assert(EqualBits(dataType) == equalBits)
      assert(Orderable(dataType) == ordered)
    }

  test("arrays of doubles are equal that have other bits") {
    def array(value: Double) =
      Literal(new GenericArrayData(Array[Any](value)): ArrayData, ArrayType(DoubleType))
    assert(EqualTo(array(0.0), array(-0.0)).eval() == true)
    assert(EqualTo(array(0.0), array(1.0)).eval() == false)
  }
}

/** A type of a user's, kept as another. */
private class Wrapped(override val sqlType: DataType) extends UserDefinedType[AnyRef] {
  override def serialize(value: AnyRef): Any = value
  override def deserialize(datum: Any): AnyRef = datum.asInstanceOf[AnyRef]
  override def userClass: Class[AnyRef] = classOf[AnyRef]
}
