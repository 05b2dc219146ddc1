package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.Equalities

/** The share of rows that pass a predicate, 1 where the columns' facts do not tell. */
object Selectivity {

  def apply(predicate: Expression, facts: RowFacts): Double =
    Equalities.conjuncts(predicate).map(one(_, facts)).product

  private def one(conjunct: Expression, facts: RowFacts): Double = conjunct match {
    case EqualTo(a: Attribute, _: Literal) => among(a, 1, facts)
    case EqualTo(_: Literal, a: Attribute) => among(a, 1, facts)
    case In(a: Attribute, values) => among(a, values.length, facts)
    case InSet(a: Attribute, values) => among(a, values.size, facts)
    case IsNotNull(a: Attribute) => 1 - facts.column(a.exprId).nullFraction.getOrElse(0.0)
    case _ => 1.0
  }

  private def among(a: Attribute, values: Int, facts: RowFacts): Double =
    facts.column(a.exprId).distinct.fold(1.0)(d => (values / d.max(1.0)).min(1.0))
}
