package io.colocate.adapt.window

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, IsNotNull}
import org.apache.spark.sql.types._

import io.colocate.adapt.window.Asking.asking
import io.colocate.tables.queries.AskedPredicate

/** Which of the known queries are looked at, and how much each counts. */
class WindowSuite extends AnyFunSuite {

  private val schema =
    new StructType().add("a", IntegerType).add("b", IntegerType).add("text", StringType)
  private val a = AttributeReference("a", IntegerType)()
  private val b = AttributeReference("b", IntegerType)()

  private def times(window: Window): Seq[Long] = window.queries.map(_.time)

  private def at(time: Long, count: Int, predicates: Expression*) =
    asking(predicates, count, time)

  test("the newest, each as often as it ran") {
    val queries = Seq(at(1, 1, a < 1), at(2, 3, a < 2), at(3, 1, b < 3))
    assert(times(Window.of(queries, schema, 20)) == Seq(1, 2, 2, 2, 3))
    assert(times(Window.of(queries, schema, 4)) == Seq(1, 2, 3))
    assert(times(Window.of(queries, schema, 20).newest(2)) == Seq(2, 3))
  }

  test("what ran ten thousand times counts for a quarter") {
    val queries = (1 to 30).map(i => at(i.toLong, 1, a < i)) :+ at(31, 10000, b < 5)
    val window = Window.of(queries, schema, 60)
    assert(times(window).count(_ == 31) == 15 && window.length == 45)
  }

  test("queries without a condition on a column, or of which nothing is known, are left out") {
    val queries =
      Seq(at(1, 1), at(2, 1, AskedPredicate.Unknown), at(3, 1, AskedPredicate.Unknown, a < 5),
        at(4, 1, AttributeReference("gone", IntegerType)() < 5), at(5, 1, IsNotNull(a)))
    assert(times(Window.of(queries, schema, 20)) == Seq(3, 5))
  }

  test("a query counts by the columns that it reads, one whose columns are not known as a whole") {
    def weight(columns: String*) =
      Asked(at(1, 1, a < 5).copy(columns = columns.toSet), schema).get.weight
    // Four bytes each, and twenty of a text.
    assert(weight("a") == 4.0 / 28 && weight("a", "text") == 24.0 / 28)
    assert(weight() == 1.0 && weight("a", "b", "text") == 1.0)
  }
}
