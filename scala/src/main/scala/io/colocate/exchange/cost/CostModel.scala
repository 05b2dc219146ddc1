package io.colocate.exchange.cost

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.estimated.Facts

/**
 * What a shuffle costs, in bytes.
 *
 * {{{
 *   cost = start-up + bytes moved + bytes x (share of the largest partition - 1/n)
 * }}}
 *
 * The start-up stands for the stage that a shuffle ends: scheduling, a barrier, n small files. The
 * last term is the work of the task that gets the most rows beyond its fair share, for which all
 * others wait. Unknown sizes count as [[CostModel.UnknownBytes]].
 */
final class CostModel(facts: Facts) {

  def bytes(child: SparkPlan): Double =
    facts(child).bytes(child.output).getOrElse(CostModel.UnknownBytes)

  def shuffle(child: SparkPlan, keys: Seq[Expression], n: Int): Double = {
    val moved = bytes(child)
    CostModel.StartUp + moved + moved * (largestShare(child, keys, n) - 1.0 / n).max(0.0)
  }

  /** The share of the rows in the largest partition, as far as is known; at least 1/n. */
  def largestShare(child: SparkPlan, keys: Seq[Expression], n: Int): Double =
    hottestShare(child, keys).max(1.0 / n)

  /** The share of the rows with the most frequent value of the keys; 0 where nothing is known. */
  def hottestShare(child: SparkPlan, keys: Seq[Expression]): Double = {
    val f = facts(child)
    (f.distinct(keys).map(1.0 / _) ++ f.hottest(keys) ++ f.nullShare(keys)).maxOption.getOrElse(0.0)
  }

  /** The cost of finding the rows in fewer partitions than a shuffle would give. */
  def fewPartitions(child: SparkPlan, n: Int, usual: Int): Double =
    bytes(child) * (1.0 / n.max(1) - 1.0 / usual).max(0.0)
}

object CostModel {

  /** Bytes that could be moved in the time that a stage takes to start. */
  val StartUp: Double = 4.0 * (1 << 20)

  /** For comparing plans only; it is never evidence for the guard. */
  val UnknownBytes: Double = 1.0 * (1L << 30)
}
