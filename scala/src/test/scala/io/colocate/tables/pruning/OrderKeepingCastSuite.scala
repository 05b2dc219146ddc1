package io.colocate.tables.pruning

import java.time.{Instant, ZoneId, ZoneOffset}
import java.time.zone.ZoneOffsetTransition

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{Cast, Literal}
import org.apache.spark.sql.types._

import io.colocate.facts.types.Orderable

/**
 * The casts that are looked through keep the order of values, as Spark evaluates them.
 *
 * {{{
 *   build/sbt "scala/testOnly *OrderKeepingCastSuite"
 * }}}
 */
class OrderKeepingCastSuite extends AnyFunSuite {

  private def cast(value: Any, from: DataType, to: DataType, zone: String = "UTC"): Cast =
    Cast(Literal(value, from), to, Some(zone))

  private def accepted(from: DataType, to: DataType): Boolean =
    OrderKeepingCast(cast(null, from, to)).isDefined

  private val types = RandomRows.schema.map(_.dataType).distinct

  test("values of every type keep their order, and none becomes NULL") {
    val pairs =
      for (from <- types; to <- types if from != to && accepted(from, to)) yield from -> to
    for ((from, to) <- pairs) {
      val values = RandomRows.values(from).filterNot(v => Bounds.isNaN(v) || beyond(from, v))
      val mapped = values.sorted(Orderable.ordering(from)).map(cast(_, from, to).eval())
      assert(!mapped.contains(null), s"$from to $to")
      val order = Orderable.ordering(to)
      assert(mapped.zip(mapped.drop(1)).forall { case (a, b) => order.lteq(a, b) }, s"$from to $to")
    }
    info(s"${pairs.size} pairs of types")
    assert(pairs.size >= 20)
  }

  /** Dates that no timestamp has. */
  private def beyond(from: DataType, value: Any): Boolean = (from, value) match {
    case (DateType, day: Int) => math.abs(day.toLong) > 100000000L
    case _ => false
  }

  test("casts that do not keep the order, or lose values, are not accepted") {
    for ((from, to) <- Seq[(DataType, DataType)](StringType -> IntegerType,
        IntegerType -> StringType, LongType -> IntegerType, LongType -> DecimalType(10, 0),
        DoubleType -> FloatType, DecimalType(10, 2) -> DecimalType(10, 1),
        DecimalType(10, 2) -> DecimalType(10, 3), DecimalType(10, 2) -> DoubleType,
        TimestampType -> DateType, TimestampType -> TimestampNTZType, StringType -> DateType))
      assert(!accepted(from, to), s"$from to $to")
  }

  private def transitions(zone: ZoneId): Seq[ZoneOffsetTransition] = {
    val end = Instant.parse("2060-01-01T00:00:00Z")
    Iterator.iterate(zone.getRules.nextTransition(Instant.MIN))(t =>
      zone.getRules.nextTransition(t.getInstant))
      .takeWhile(t => t != null && t.getInstant.isBefore(end)).toSeq
  }

  test("a later date begins later, in every zone and around every change of its clocks") {
    var checked = 0
    for (id <- ZoneId.getAvailableZoneIds.asScala; change <- transitions(ZoneId.of(id))) {
      val day = change.getInstant.atOffset(ZoneOffset.UTC).toLocalDate.toEpochDay.toInt
      val begins = (day - 2 to day + 2)
        .map(cast(_, DateType, TimestampType, id).eval().asInstanceOf[Long])
      assert(begins == begins.sorted, s"$id around $change")
      checked += 1
    }
    info(s"$checked changes of clocks")
    assert(checked > 10000)
  }

  test("a later timestamp may have an earlier date") {
    val back = transitions(ZoneId.of("America/St_Johns")).filter(_.isOverlap)
      .find(_.getDateTimeBefore.toString == "2005-10-30T00:01").get
    val instant = back.getInstant.getEpochSecond * 1000000
    def date(micros: Long) =
      cast(micros, TimestampType, DateType, "America/St_Johns").eval().asInstanceOf[Int]
    assert(date(instant) == date(instant - 1) - 1)
  }
}
