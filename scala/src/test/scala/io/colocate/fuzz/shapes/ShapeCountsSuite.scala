package io.colocate.fuzz.shapes

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.report.{ExchangeReasons, ReasonCode}

/** A run of the fuzzer that has not rewritten a shape does not pass for one that has. */
class ShapeCountsSuite extends AnyFunSuite {

  private val facts: Set[ReasonCode] = Shape.all.flatMap(_.fact).toSet

  private def missing(cases: (Set[Shape], Boolean, Set[ReasonCode])*): Seq[String] = {
    val counts = new ShapeCounts
    cases.foreach { case (shapes, changed, reasons) => counts.count(shapes, changed, reasons) }
    counts.missing
  }

  test("nothing is missing where all were rewritten by their facts") {
    assert(missing((Shape.all.toSet, true, facts)).isEmpty)
  }

  test("a shape that did not occur is missing") {
    assert(missing((Shape.all.toSet - Shape.NullSafe, true, facts)) ==
      Seq(s"${Shape.NullSafe.name} did not occur"))
  }

  test("a shape is missing if its plan changed for another reason") {
    assert(missing((Shape.all.toSet, true, facts - ExchangeReasons.MergedPartitions)) ==
      Seq(s"${Shape.Merged.name} was never rewritten by MERGED_PARTITIONS"))
  }

  test("a shape without a fact is missing if its plan was Spark's own") {
    val without = Shape.all.filter(_.fact.isEmpty)
    assert(missing((Shape.all.toSet, false, facts)) ==
      without.map(shape => s"${shape.name} was never rewritten"))
  }

  test("each shape has one maker") {
    for (shape <- Shape.all; seed <- 1L to 5L; sure <- Seq(false, true))
      assert(new ShapeQueries(seed, shape, sure).query().shapes(shape), shape.name)
  }
}
