package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.proved.ProvedEquality
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * In every row the two columns hold the same bits, or are both NULL, so a hash of one is a hash of the
 * other. Not valid if floating-point columns are compared (-0.0 = 0.0), or strings with a collation in
 * which different strings are equal.
 */
final case class Equal(proof: ProvedEquality) extends ClaimFact {
  import proof.{from, to}

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] = {
    val claimed = present.collect {
      case e: Expression with Partitioning if e.references.contains(from) =>
        e.transform { case a: Attribute if a.exprId == from.exprId => to }
    }
    present ++ claimed.collect { case p: Partitioning => p }
  }

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.exists(_.semanticEquals(to)))(Reason(ExchangeReasons.EqualColumns,
      "left" -> from.name, "right" -> to.name))

  override def text: String = s"$from = $to"
}
