package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.proved.{Declared, Lookup}
import io.colocate.report.Reason

/**
 * The join below compares a column more than the query asks for, because its key determines that column. It
 * says nothing of partitionings, which Spark sees by itself then; it is in the plan so that a reader sees
 * why, and so that what is declared can be checked before rows are joined.
 */
final case class Carried(lookup: Lookup) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] = present

  override def declared(operator: SparkPlan): Seq[Declared] = Seq(lookup.declared)

  override def reason(keys: Seq[Expression]): Option[Reason] = None

  override def text: String =
    s"${lookup.column} is compared too, as ${lookup.key} determines it"
}
