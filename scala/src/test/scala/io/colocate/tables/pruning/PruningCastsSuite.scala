package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/**
 * Casts that keep the order of values, and some that do not.
 *
 * {{{
 *   build/sbt "scala/testOnly *PruningCastsSuite"
 * }}}
 */
class PruningCastsSuite extends PruningTable {

  private val ints = file("i" -> Seq(3, null, 9), "y" -> Seq[Any](1.toByte, null, 3.toByte))
  private val numbers = file("f" -> Seq(1.5f, 2.5f))
  private def cast(name: String, to: DataType) = Cast(col(name), to, Some("America/St_Johns"))
  on("wider integer", ints)
    .prunes(EqualTo(cast("y", IntegerType), lit(300)))
    .keeps(EqualTo(cast("y", IntegerType), lit(3)))
  private val wide = DecimalType(12, 2)
  on("integer as decimal", ints)
    .prunes(GreaterThan(cast("i", wide), Literal(Decimal("9.01"), wide)))
    .keeps(GreaterThan(cast("i", wide), Literal(Decimal("8.99"), wide)))
  on("integer as double", ints)
    .prunes(EqualTo(cast("i", DoubleType), lit(9.5)))
    .keeps(EqualTo(cast("i", DoubleType), lit(8.5)))
  on("a long that a double rounds", file("l" -> Seq(9007199254740993L)))
    .prunes(GreaterThan(cast("l", DoubleType), lit(9007199254740992.0)))
    .keeps(EqualTo(cast("l", DoubleType), lit(9007199254740992.0)))
  on("float as double", numbers)
    .prunes(LessThan(cast("f", DoubleType), lit(1.5)))
    .keeps(LessThan(cast("f", DoubleType), lit(1.6)))
  on("wider decimal", file("m" -> Seq(dec("1.50"))))
    .prunes(EqualTo(cast("m", DecimalType(12, 3)), Literal(Decimal("1.501"), DecimalType(12, 3))))
    .keeps(EqualTo(cast("m", DecimalType(12, 3)), Literal(Decimal("1.500"), DecimalType(12, 3))))
  on("decimal that may overflow", file("m" -> Seq(dec("1.50"))))
    .prunes(EqualTo(col("m"), lit(dec("2.50"))))
    .keeps(EqualTo(cast("m", DecimalType(4, 2)), Literal(Decimal("2.50"), DecimalType(4, 2))))

  private val days = file("day" -> Seq(18000, 18010), "ts" -> Seq(0L, 1L))
  private def midnight(day: Int) =
    Literal(Cast(Literal(day, DateType), TimestampType, Some("America/St_Johns")).eval(),
      TimestampType)
  on("date as timestamp", days)
    .prunes(GreaterThan(cast("day", TimestampType), midnight(18010)))
    .keeps(GreaterThanOrEqual(cast("day", TimestampType), midnight(18010)))
  on("a date that no timestamp has", file("day" -> Seq(18000, Int.MaxValue)))
    .prunes(LessThan(col("day"), Literal(18000, DateType)))
    .keeps(LessThan(cast("day", TimestampType), midnight(18000)))
  on("timestamp as date, which may go back", days)
    .prunes(GreaterThan(col("ts"), Literal(1L, TimestampType)))
    .keeps(EqualTo(cast("ts", DateType), Literal(18000, DateType)))
  on("timestamp without zone as date", file("ntz" -> Seq(0L, 86400000000L)))
    .prunes(GreaterThan(cast("ntz", DateType), Literal(1, DateType)))
    .keeps(GreaterThanOrEqual(cast("ntz", DateType), Literal(1, DateType)))
}
