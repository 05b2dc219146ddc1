package io.colocate.facts.estimated

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.Equalities

/** The estimated share of rows that pass a predicate, 1 if the estimates of the columns do not tell. */
object Selectivity {

  def apply(predicate: Expression, rows: RowEstimates): Double =
    Equalities.conjuncts(predicate).map(one(_, rows)).product

  private def one(conjunct: Expression, rows: RowEstimates): Double = conjunct match {
    case EqualTo(a: Attribute, _: Literal) => among(a, 1, rows)
    case EqualTo(_: Literal, a: Attribute) => among(a, 1, rows)
    case In(a: Attribute, values) => among(a, values.length, rows)
    case InSet(a: Attribute, values) => among(a, values.size, rows)
    case IsNotNull(a: Attribute) => 1 - rows.column(a.exprId).nullFraction.getOrElse(0.0)
    case _ => 1.0
  }

  private def among(a: Attribute, values: Int, rows: RowEstimates): Double =
    rows.column(a.exprId).distinct.fold(1.0)(d => (values / d.max(1.0)).min(1.0))
}
