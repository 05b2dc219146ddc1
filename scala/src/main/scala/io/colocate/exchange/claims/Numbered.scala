package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, SparkPartitionID}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.Together
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * A column holds the number of the partition that the row is in, so rows that agree on it are together.
 *
 * {{{
 *   HashAggregate [p, a]                                  HashAggregate [p, a]
 *   +- Exchange [p, a]                                    +- ColocateClaim [p is the partition]
 *      +- Project [spark_partition_id() AS p, a]     =>      +- Project [spark_partition_id() AS p, a]
 * }}}
 *
 * Valid until the rows are shuffled. Counter-example: a union, whose inputs each count their partitions
 * from 0.
 */
final case class Numbered(columns: Seq[Attribute]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] = {
    val n = present.headOption.fold(0)(_.numPartitions)
    present ++ columns.map(column => Together(Seq(column), n))
  }

  override def reason(keys: Seq[Expression]): Option[Reason] = {
    val read = columns.filter(column => keys.exists(_.semanticEquals(column)))
    Option.when(read.nonEmpty)(Reason(ExchangeReasons.PartitionId,
      "columns" -> HashPartitionings.text(read)))
  }

  override def text: String = s"${columns.mkString(", ")} is the partition"
}

object Numbered {

  /** The columns of an operator's output that hold the number of each row's partition. */
  def columns(operator: SparkPlan): Seq[Attribute] = operator match {
    case project: ProjectExec =>
      project.projectList.collect { case id @ Alias(SparkPartitionID(), _) => id.toAttribute }
    case _ => Nil
  }
}
