package io.colocate.tables.write

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{LogicalRDD, QueryExecution}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.types.StructType

/** Rows to be written, as a plan that may be executed more than once. */
final case class RowSource(session: SparkSession, plan: LogicalPlan) {

  def schema: StructType = DataTypeUtils.fromAttributes(plan.output)

  /** The rows of a plan on top of this one. */
  def map(to: LogicalPlan => LogicalPlan): RowSource = copy(plan = to(plan))

  def execute(): QueryExecution = session.sessionState.executePlan(plan)
}

object RowSource {

  /**
   * The rows of a query, which are read twice: first to draw a sample of them, then to write them.
   *
   * A query that shuffles is planned only once, so that it shuffles once. A query that only reads is
   * planned for each, as rows that are not in the sample need not be assembled then.
   */
  def of(session: SparkSession, query: QueryExecution): RowSource = {
    val readsOnly = query.getClass == classOf[QueryExecution] && !query.executedPlan.exists {
      case _: AdaptiveSparkPlanExec | _: Exchange => true
      case node => node.subqueries.nonEmpty
    }
    val plan =
      if (readsOnly) query.analyzed
      else {
        val output = query.analyzed.output.map(_.newInstance())
        LogicalRDD(output.map(_.toAttribute), query.toRdd)(session)
      }
    RowSource(session, ReadBack.rows(plan, session.sessionState.conf))
  }
}
