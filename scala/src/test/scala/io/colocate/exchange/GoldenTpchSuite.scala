package io.colocate.exchange

import scala.collection.mutable

import org.apache.spark.SparkConf
import org.apache.spark.sql.TPCHBase
import org.apache.spark.sql.catalyst.util.resourceToString
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.DisableAdaptiveExecutionSuite
import org.apache.spark.sql.execution.exchange.ValidateRequirements

import io.colocate.testing.{EveryOther, Exchanges, Golden, Reports, TestConf}

/**
 * TPC-H, planned over empty tables: shuffles without Colocate and with it, joins broadcast and not, as
 * they are kept in src/test/resources/golden/<Spark minor>/tpch.txt. None more in any query.
 *
 * {{{
 *   build/sbt "scala/testOnly *GoldenTpchSuite"
 *   make golden
 * }}}
 */
class GoldenTpchSuite extends DisableAdaptiveExecutionSuite with TPCHBase with EveryOther {

  override protected def sparkConf: SparkConf = TestConf.extension
    .foldLeft(super.sparkConf) { case (conf, (key, value)) => conf.set(key, value) }

  private val broadcast = Seq("joins broadcast" -> "10MB", "no broadcast" -> "-1")
  private val found = mutable.LinkedHashMap.empty[String, String]

  for (query <- tpchQueries)
    test(s"no more shuffles, $query") {
      assume(TestConf.extensionExists)
      found(query) = broadcast.map { case (what, threshold) =>
        val plans = Seq(false, true).map(plan(query, _, threshold))
        val Seq(stock, ours) = plans.map(Exchanges.count)
        assert(ours <= stock, what)
        assert(Reports.said(plans.last) == ((stock, ours)), what)
        s"$what $stock -> $ours"
      }.mkString(", ")
    }

  test("the counts are the kept ones") {
    assume(found.size == tpchQueries.size, "all queries must have been planned")
    Golden.checkPlans("tpch.txt", found.map { case (q, t) => s"$q: $t\n" }.mkString)
  }

  private def plan(query: String, colocate: Boolean, threshold: String): SparkPlan =
    withSQLConf("spark.colocate.enabled" -> colocate.toString,
      "spark.sql.autoBroadcastJoinThreshold" -> threshold) {
      val plan = sql(resourceToString(s"tpch/$query.sql")).queryExecution.executedPlan
      assert(ValidateRequirements.validate(plan))
      plan
    }
}
