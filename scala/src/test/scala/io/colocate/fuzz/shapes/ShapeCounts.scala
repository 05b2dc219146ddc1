package io.colocate.fuzz.shapes

import scala.collection.mutable

import io.colocate.report.{ExchangeReasons, ReasonCode, ReasonKind}

/**
 * How often each shape occurred and was rewritten, and how often each fact was the reason. A comparison that
 * did not exercise a rule is a failure, so a run tells which shapes it has missed.
 */
final class ShapeCounts {

  private val occurred = mutable.Map.empty[Shape, Int].withDefaultValue(0)
  private val rewritten = mutable.Map.empty[Shape, Int].withDefaultValue(0)
  private val facts = mutable.Map.empty[ReasonCode, Int].withDefaultValue(0)

  /**
   * One case.
   *
   * @param changed true if its plan is not Spark's
   * @param reasons what explain() says of its plan
   */
  def count(shapes: Set[Shape], changed: Boolean, reasons: Set[ReasonCode]): Unit = {
    shapes.foreach { shape =>
      occurred(shape) += 1
      if (shape.fact.fold(changed)(reasons)) rewritten(shape) += 1
    }
    reasons.foreach(fact => facts(fact) += 1)
  }

  /** What this run cannot vouch for. */
  def missing: Seq[String] = Shape.all.collect {
    case shape if occurred(shape) == 0 => s"${shape.name} did not occur"
    case shape if rewritten(shape) == 0 =>
      s"${shape.name} was never rewritten${shape.fact.fold("")(f => s" by ${f.name}")}"
  }

  def summary: String = {
    val byShape =
      Shape.all.map(s => s"    ${s.name}: ${occurred(s)} cases, ${rewritten(s)} rewritten")
    // What Python functions hand through is not in SQL.
    val byFact = ExchangeReasons.all.filter(_.kind == ReasonKind.Fact)
      .filterNot(_ == ExchangeReasons.KeptByPython).map(f => s"${f.name} ${facts(f)}")
    ("  shapes, and those that their fact rewrote:" +: byShape).mkString("\n") +
      byFact.mkString("\n  cases by fact: ", ", ", "")
  }
}
