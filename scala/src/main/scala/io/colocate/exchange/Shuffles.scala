package io.colocate.exchange

import java.util.{Collections, IdentityHashMap}

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.facts.Facts
import io.colocate.reason.Bytes

/**
 * What a plan with its subqueries shuffles, each shuffle that is used again counted once.
 *
 * @param bytes estimated
 */
final case class Shuffles(count: Int, bytes: Double) {

  def text: String = s"$count shuffles, ${Bytes.text(bytes)}"
}

object Shuffles {

  /** @param plan as it runs where adaptive execution is off */
  def of(plan: SparkPlan): Shuffles = {
    val model = new CostModel(new Facts)
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = plan.collectWithSubqueries {
      case shuffle: ShuffleExchangeLike if seen.add(shuffle) => model.bytes(shuffle.child)
    }
    Shuffles(found.length, found.sum)
  }
}
