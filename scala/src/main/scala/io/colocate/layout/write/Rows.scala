package io.colocate.layout.write

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{LogicalRDD, QueryExecution}
import org.apache.spark.sql.types.StructType

/** Rows that are to be written, as a plan that may be executed more than once. */
final case class Rows(session: SparkSession, plan: LogicalPlan) {

  def schema: StructType = DataTypeUtils.fromAttributes(plan.output)

  /** These rows under another plan. */
  def map(to: LogicalPlan => LogicalPlan): Rows = copy(plan = to(plan))

  def execute(): QueryExecution = session.sessionState.executePlan(plan)
}

object Rows {

  /**
   * The rows of a query, which is planned just once: what it shuffles is shuffled once, though its
   * rows are read twice, first to draw a sample of them and then to write them.
   */
  def of(session: SparkSession, query: QueryExecution): Rows = {
    val output = query.analyzed.output.map(_.newInstance())
    Rows(session, LogicalRDD(output.map(_.toAttribute), query.toRdd)(session))
  }
}
