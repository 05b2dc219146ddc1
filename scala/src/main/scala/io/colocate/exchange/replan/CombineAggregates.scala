package io.colocate.exchange.replan

import org.apache.spark.sql.catalyst.expressions.aggregate.Complete
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.aggregate._
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DecimalType

import io.colocate.exchange.memory.ExchangeFindings
import io.colocate.exchange.partitioning.{AggregateHalves, HashPartitionings}
import io.colocate.rule.{ColocateNode, OptionalPhysicalRule}

/**
 * Computes an aggregate in one step if Colocate removed the shuffle between its two halves. Aggregates that
 * Spark itself plans without a shuffle stay as they are.
 *
 * {{{
 *   HashAggregate [k] sum(x)                     HashAggregate [k] sum(x)
 *   +- HashAggregate [k] partial_sum(x)    =>    +- join that has equal k in one partition
 *      +- join that has equal k in one partition
 * }}}
 *
 * Valid where the upper half finishes exactly what the lower half begins ([[AggregateHalves]], which has a
 * counter-example).
 *
 * Done only where it pays: Spark looks up a key in a small generated map first, but only in lower halves
 * (`spark.sql.codegen.aggregate.map.twolevel.partialOnly`). With many rows for each key that saves more
 * than a second hash table costs. Spark has no such map for decimals of more than 18 digits, as sums of
 * money are, or for aggregates with keys only.
 *
 * Spark 4.3 has the same rule without these conditions; there this rule has nothing left to do.
 */
object CombineAggregates extends OptionalPhysicalRule {

  override def apply(plan: SparkPlan): SparkPlan =
    plan.transformUp { case upper: BaseAggregateExec =>
      upper.child match {
        case lower: BaseAggregateExec if finishes(upper, lower) => whole(upper, lower)
        case _ => upper
      }
    }

  override def failed(plan: SparkPlan, error: Throwable): SparkPlan =
    ExchangeFindings.failed(plan, "aggregates", error)

  private def finishes(upper: BaseAggregateExec, lower: BaseAggregateExec): Boolean =
    AggregateHalves(upper, lower) && !quicker(lower) && spared(lower.child)

  /** True if Spark has a quicker map for a lower half than for both halves in one. */
  private def quicker(lower: BaseAggregateExec): Boolean = lower match {
    case hash: HashAggregateExec =>
      val held = hash.aggregateExpressions.flatMap(_.aggregateFunction.aggBufferAttributes)
      held.nonEmpty && held.forall(value => !DecimalType.isByteArrayDecimalType(value.dataType)) &&
      conf.getConf(SQLConf.ENABLE_TWOLEVEL_AGG_MAP) &&
      conf.getConf(SQLConf.ENABLE_TWOLEVEL_AGG_MAP_PARTIAL_ONLY)
    case _ => false
  }

  /** True if the stage contains a node or a shuffle of Colocate's, so that it may lack one of Spark's. */
  private def spared(plan: SparkPlan): Boolean = plan match {
    case _: Exchange | _: QueryStageExec =>
      HashPartitionings.hashes(plan.outputPartitioning).exists(_.co)
    case _: ColocateNode => true
    case _ => plan.children.exists(spared)
  }

  /** Reads the input of the lower half, returns the output of the upper half. */
  private def whole(upper: BaseAggregateExec, lower: BaseAggregateExec): SparkPlan = {
    val asked = upper.requiredChildDistributionExpressions
    val functions = lower.aggregateExpressions.map(_.copy(mode = Complete))
    val (attributes, results) = (upper.aggregateAttributes, upper.resultExpressions)
    lower match {
      case hash: HashAggregateExec =>
        hash.copy(asked, aggregateExpressions = functions, aggregateAttributes = attributes,
          resultExpressions = results)
      case objects: ObjectHashAggregateExec =>
        objects.copy(asked, aggregateExpressions = functions, aggregateAttributes = attributes,
          resultExpressions = results)
      case sorted: SortAggregateExec =>
        sorted.copy(asked, aggregateExpressions = functions, aggregateAttributes = attributes,
          resultExpressions = results)
      case _ => upper
    }
  }
}
