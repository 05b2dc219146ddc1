package io.colocate.exchange.claims

import scala.annotation.tailrec

import org.apache.spark.sql.execution.{InputAdapter, SparkPlan, WholeStageCodegenExec}

private[claims] object Computing {

  /** The operator that computes the rows; once a plan is prepared, generated code may be around it. */
  @tailrec
  def apply(plan: SparkPlan): SparkPlan = plan match {
    case adapter: InputAdapter => apply(adapter.child)
    case stage: WholeStageCodegenExec => apply(stage.child)
    case operator => operator
  }
}
