package io.colocate.multiway.exec

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

import io.colocate.multiway.model.RelationMode
import io.colocate.report.{Finding, Findings, MultiwayReasons}
import io.colocate.rule.{ColocateConf, OptionalPhysicalRule}

/**
 * Lets broadcasts of a multiway join be kept for later queries.
 *
 * {{{
 *   BroadcastExchange RelationMode        ColocateBroadcast
 *   +- FileScan edges                =>   +- FileScan edges
 * }}}
 *
 * Valid if equal rows can be recognised ([[PlanFingerprint]]). Counter-example: a sample without a seed,
 * whose rows differ each time. It is a columnar rule, as no other rule runs after exchanges have been
 * added, both with and without adaptive execution.
 */
object KeepRelations extends OptionalPhysicalRule {
  override def apply(plan: SparkPlan): SparkPlan =
    if (ColocateConf.MultiwayKeepBytes(conf) == 0) plan
    else
      plan.transformUp {
        case exchange @ BroadcastExchangeExec(mode: RelationMode, child)
            if PlanFingerprint.possible(child, conf) =>
          val keeping = ColocateBroadcast(mode, child)
          keeping.copyTagsFrom(exchange)
          keeping
      }

  override def failed(plan: SparkPlan, error: Throwable): SparkPlan = {
    Findings.put(plan,
      Finding.failed(MultiwayReasons.Capability, plan.nodeName, "keep-relations", error))
    plan
  }
}
