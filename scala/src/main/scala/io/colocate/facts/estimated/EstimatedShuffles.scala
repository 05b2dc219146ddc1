package io.colocate.facts.estimated

import java.util.{Collections, IdentityHashMap}

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.reuse.ReuseExchangeAndSubquery
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.proved.Proofs
import io.colocate.report.Shuffles

/** The estimated shuffles of a plan with its subqueries. */
object EstimatedShuffles {

  /** For comparing plans whose row counts are unknown; it is no evidence of a size. */
  val UnknownBytes: Double = 1.0 * (1L << 30)

  /**
   * The shuffles of a query if adaptive execution is off.
   *
   * @param conf the settings under which it is planned
   * @param plan the physical plan, as it comes from Spark's planner or from Colocate's
   */
  def of(session: ClassicSession, conf: SQLConf)(plan: => SparkPlan): Shuffles = {
    val settings = conf.clone()
    settings.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, false)
    SQLConf.withExistingConf(settings) {
      counted(ReuseExchangeAndSubquery(QueryExecution.prepareExecutedPlan(session, plan)))
    }
  }

  private def counted(plan: SparkPlan): Shuffles = {
    val estimates = new Estimates(new Proofs)
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = plan.collectWithSubqueries {
      case shuffle: ShuffleExchangeLike if seen.add(shuffle) =>
        val rows = shuffle.child
        estimates(rows).bytes(rows.output).getOrElse(UnknownBytes)
    }
    Shuffles(found.length, found.sum)
  }
}
