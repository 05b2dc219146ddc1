package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.CoHashPartitioning
import io.colocate.report.Reason

/**
 * The partitioning may serve every operator that [[CoHashPartitioning]] may serve: above bucketed scans,
 * above the user's own repartition, and where functions of the keys are hashed.
 */
case object ServesMoreKeys extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    present.map(CoHashPartitioning.of)

  override def reason(keys: Seq[Expression]): Option[Reason] = None

  override def text: String = "serves other keys too"
}
