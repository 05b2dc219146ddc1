package io.colocate.multiway.exec

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

import io.colocate.multiway.model.RelationMode
import io.colocate.rule.{ColocateConf, OptionalPhysicalRule}

/**
 * Lets broadcasts of a multiway join be kept for queries to come.
 *
 * {{{
 *   BroadcastExchange RelationMode        ColocateBroadcast
 *   +- FileScan edges                =>   +- FileScan edges
 * }}}
 *
 * Valid where the rows can be told again ([[PlanFingerprint]]). Counter-example: a sample without a seed, whose rows
 * are others each time. A columnar rule, as no other is called with adaptive execution on and off after exchanges
 * have been added.
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
}
