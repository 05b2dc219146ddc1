package io.colocate.exchange

import java.util.{Collections, IdentityHashMap}

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.reuse.ReuseExchangeAndSubquery
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.cost.CostModel
import io.colocate.facts.estimated.Facts
import io.colocate.report.Bytes

/**
 * What a plan with its subqueries shuffles, each shuffle that is used again counted once.
 *
 * @param bytes estimated
 */
final case class Shuffles(count: Int, bytes: Double) {

  def text: String = s"$count shuffles, ${Bytes.text(bytes)}"
}

object Shuffles {

  /**
   * What a query shuffles where adaptive execution is off.
   *
   * @param conf the settings that it is planned under
   * @param plan as Spark's planner, or ours, hands it on
   */
  def of(session: ClassicSession, conf: SQLConf)(plan: => SparkPlan): Shuffles = {
    val settings = conf.clone()
    settings.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, false)
    SQLConf.withExistingConf(settings) {
      counted(ReuseExchangeAndSubquery(QueryExecution.prepareExecutedPlan(session, plan)))
    }
  }

  private def counted(plan: SparkPlan): Shuffles = {
    val model = new CostModel(new Facts)
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = plan.collectWithSubqueries {
      case shuffle: ShuffleExchangeLike if seen.add(shuffle) => model.bytes(shuffle.child)
    }
    Shuffles(found.length, found.sum)
  }
}
