package io.colocate

import org.apache.spark.sql.SparkSessionExtensions

import io.colocate.exchange.{ExchangeHint, ExchangeRule, ExchangeStrategy, WithdrawalCostEvaluator}
import io.colocate.explain.{ExplainSetup, TableFunctions}

/**
 * The entry: `spark.sql.extensions=io.colocate.ColocateExtensions`.
 *
 * Where what runs, from the query to the task:
 * {{{
 *   analysis                 ExchangeHint.Resolve    /*+ COLOCATE(mode) */ becomes a node
 *                            ExplainSetup            explain() gets our section; changes no plan
 *                            WithdrawalCostEvaluator lets a re-planning add a shuffle against skew
 *                            TableFunctions          colocate_explain and the like
 *   planner strategies       ExchangeHint.Plan       the node becomes a tag
 *                            ExchangeStrategy        adaptive execution off: layouts for the whole plan
 *   post-planner strategies  ExchangeRule            adaptive execution on: the same, at each re-planning
 *   EnsureRequirements       (Spark's) verifies, and adds what is missing
 * }}}
 * Switches are read when a query is planned, not here: a running session can turn each rule off.
 */
final class ColocateExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectHintResolutionRule(_ => ExchangeHint.Resolve)
    extensions.injectPlannerStrategy(_ => ExchangeHint.Plan)
    extensions.injectPlannerStrategy(session => new ExchangeStrategy(session))
    extensions.injectQueryPostPlannerStrategyRule(_ => ExchangeRule())
    extensions.injectResolutionRule(WithdrawalCostEvaluator.Setup(_))
    extensions.injectResolutionRule(ExplainSetup(_))
    TableFunctions.all.foreach(extensions.injectTableFunction)
  }
}
