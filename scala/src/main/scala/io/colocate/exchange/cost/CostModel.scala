package io.colocate.exchange.cost

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.estimated.{EstimatedShuffles, Estimates}

/**
 * The cost of a shuffle, in bytes.
 *
 * {{{
 *   cost = start-up + bytes moved + bytes x (share of the largest partition - 1/n)
 * }}}
 *
 * The start-up is the cost of the stage that a shuffle ends: scheduling, a barrier, n small files. The last
 * term is the work beyond its fair share of the task with the most rows, for which all others wait. Unknown
 * sizes count as [[EstimatedShuffles.UnknownBytes]].
 */
final class CostModel(estimates: Estimates) {

  def bytes(child: SparkPlan): Double =
    estimates(child).bytes(child.output).getOrElse(EstimatedShuffles.UnknownBytes)

  def shuffle(child: SparkPlan, keys: Seq[Expression], n: Int): Double = {
    val moved = bytes(child)
    CostModel.StartUp + moved + moved * (largestShare(child, keys, n) - 1.0 / n).max(0.0)
  }

  /** The estimated share of the rows in the largest partition; at least 1/n. */
  def largestShare(child: SparkPlan, keys: Seq[Expression], n: Int): Double =
    hottestShare(child, keys).max(1.0 / n)

  /** The share of the rows with the most frequent value of the keys; 0 if it is not known. */
  def hottestShare(child: SparkPlan, keys: Seq[Expression]): Double = {
    val rows = estimates(child)
    (rows.distinct(keys).map(1.0 / _) ++ rows.hottest(keys) ++ rows.nullShare(keys)).maxOption
      .getOrElse(0.0)
  }

  /** The cost of reading the rows in fewer partitions than a shuffle would create. */
  def fewPartitions(child: SparkPlan, n: Int, usual: Int): Double =
    bytes(child) * (1.0 / n.max(1) - 1.0 / usual).max(0.0)
}

object CostModel {

  /** Bytes that could be moved in the time that a stage takes to start. */
  val StartUp: Double = 4.0 * (1 << 20)
}
