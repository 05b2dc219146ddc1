package io.colocate.explain.plan

import org.apache.spark.sql.catalyst.plans.logical.{ExecutableDuringAnalysis, LogicalPlan}

/** A parsed statement for analysis alone: Spark executes a CALL when it is analysed, unless it is only explained. */
private[colocate] object WithoutActing {

  def apply(query: LogicalPlan): LogicalPlan = query match {
    case call: ExecutableDuringAnalysis => call.stageForExplain()
    case other => other
  }
}
