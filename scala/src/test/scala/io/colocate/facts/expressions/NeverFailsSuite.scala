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
  private val lower = AttributeReference("lower", StringType("UTF8_LCASE"))()
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
      "of two keys" -> Coalesce(Seq(i, j)), "upper" -> Upper(s), "a sum" -> Add(i, j),
      "a quotient, which may fail" -> IntegralDivide(i, j),
      "a day's time, which late dates have not" -> cast(d, TimestampType)))
    test(s"rows hashed on a function of the keys are together: $name") {
      assert(FunctionOfKeys(e, Seq(i, j, s, d, array)))
    }

  for ((name, e) <- Seq("the key itself" -> i, "of another column" -> Coalesce(Seq(i, j)),
      "of no column" -> Literal(1), "of doubles, which 1/x tells apart" -> IsNull(x),
      "of chance" -> Add(i, new Rand(Literal(1L))),
      "of texts of which several are equal" -> Upper(lower)))
    test(s"not taken for a function of the keys: $name") {
      assert(!FunctionOfKeys(e, Seq(i, s, d, x, lower)))
    }

  test("a function that may fail is not computed where Spark alone would not") {
    for (e <- Seq(Upper(s), Year(d), cast(i, StringType), Coalesce(Seq(i, Literal(0)))))
      assert(FunctionOfKeys.neverFails(e))
    for (e <- Seq(ansi(on = true)(Add(i, j)), IntegralDivide(i, j), cast(d, TimestampType)))
      assert(!FunctionOfKeys.neverFails(e))
  }

  test("functions of the calendar never fail on any date or instant") {
    val (day, time) = (BoundReference(0, DateType, true), BoundReference(0, TimestampType, true))
    for (e <- Seq(Year(day), Quarter(day), Month(day), WeekOfYear(day), DayOfYear(day),
        DayOfMonth(day), DayOfWeek(day));
      value <- Seq(Int.MinValue, 0, Int.MaxValue)) {
      assert(NeverFails(e))
      e.eval(InternalRow(value))
    }
    val zone = Some("America/Los_Angeles")
    for (e <- Seq(Hour(time, zone), Minute(time, zone), Second(time, zone));
      value <- Seq(Long.MinValue, 0L, Long.MaxValue)) {
      assert(NeverFails(e))
      e.eval(InternalRow(value))
    }
  }

  test("a function with fewer values than its columns is known as one") {
    for (e <- Seq(Coalesce(Seq(i, Literal(0))), cast(i, LongType),
        Concat(Seq(Literal("store "), s))))
      assert(FunctionOfKeys.keepsValues(e))
    for (e <- Seq(Year(d), Lower(s), Remainder(i, Literal(7)), Concat(Seq(s, s))))
      assert(!FunctionOfKeys.keepsValues(e))
  }
}
