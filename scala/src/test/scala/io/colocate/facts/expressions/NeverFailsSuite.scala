package io.colocate.facts.expressions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/** Expressions that never fail, those that may, and which of them tell rows with equal keys apart. */
class NeverFailsSuite extends AnyFunSuite {

  private val i = AttributeReference("i", IntegerType)()
  private val j = AttributeReference("j", IntegerType)()
  private val s = AttributeReference("s", StringType)()
  private val d = AttributeReference("d", DateType)()
  private val x = AttributeReference("x", DoubleType)()
  private val array = AttributeReference("array", ArrayType(IntegerType))()

  private def ansi[T](on: Boolean)(body: => T): T = {
    val conf = new SQLConf
    conf.setConf(SQLConf.ANSI_ENABLED, on)
    SQLConf.withExistingConf(conf)(body)
  }

  private def cast(e: Expression, to: DataType): Cast = Cast(e, to, Some("UTC"))

  for ((name, e, never) <- Seq(("a column", i, true), ("a comparison", LessThan(i, j), true),
      ("coalesce", Coalesce(Seq(i, Literal(0))), true),
      ("a sum that wraps", ansi(on = false)(Add(i, j)), true),
      ("a sum that overflows", ansi(on = true)(Add(i, j)), false),
      ("a comparison of one", ansi(on = true)(LessThan(Add(i, j), i)), false),
      ("a division to NULL", ansi(on = false)(Divide(x, x)), true),
      ("a division by 0", ansi(on = true)(Divide(x, x)), false),
      ("a wider number", cast(i, LongType), true),
      ("a narrower number", cast(x, IntegerType), false),
      ("a text's number", cast(s, IntegerType), false), ("upper", Upper(s), true),
      ("a function nobody looked at", Reverse(s), false)))
    test(s"$name ${if (never) "never fails" else "may fail"}") {
      assert(NeverFails(e) == never)
      assert(NeverFails(IsNull(e)) == never)
    }

  test("a cast to all values of another type never fails, one to a timestamp does") {
    for (to <- Seq(LongType, DoubleType, StringType)) assert(NeverFails.cast(cast(i, to)))
    for (to <- Seq(TimestampType, TimestampNTZType)) {
      val late = cast(BoundReference(0, DateType, nullable = true), to)
      assertThrows[ArithmeticException](late.eval(InternalRow(Int.MaxValue)))
      assert(!NeverFails.cast(late))
      assert(!NeverFails.cast(cast(AttributeReference("ds", ArrayType(DateType))(), ArrayType(to))))
    }
  }

  for ((name, e) <- Seq("coalesce" -> Coalesce(Seq(i, Literal(0))), "IS NULL" -> IsNull(s),
      "a wider number" -> cast(i, LongType), "a text of it" -> cast(i, StringType),
      "coalesce of an array" -> Coalesce(Seq(array, Literal.default(array.dataType))),
      "of two keys" -> Coalesce(Seq(i, j))))
    test(s"rows hashed on a function of the keys are together: $name") {
      assert(FunctionOfKeys(e, Seq(i, j, s, array)))
    }

  for ((name, e) <- Seq("the key itself" -> i, "of another column" -> Coalesce(Seq(i, j)),
      "of no column" -> Literal(1), "of doubles, which 1/x tells apart" -> IsNull(x),
      "a timestamp, which late dates have not" -> cast(d, TimestampType),
      "a function that Spark's plans do not hash" -> Upper(s)))
    test(s"not taken for a function of the keys: $name") {
      assert(!FunctionOfKeys(e, Seq(i, s, d, x)))
    }
}
