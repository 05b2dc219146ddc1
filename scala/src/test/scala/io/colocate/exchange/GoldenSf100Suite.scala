package io.colocate.exchange

import scala.collection.mutable

import org.scalatest.Tag

import org.apache.spark.SparkConf
import org.apache.spark.sql.TPCDSBase
import org.apache.spark.sql.catalyst.util.resourceToString
import org.apache.spark.sql.execution.adaptive.DisableAdaptiveExecutionSuite
import org.apache.spark.sql.execution.exchange.ValidateRequirements
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.memory.Narrowed
import io.colocate.testing.{Exchanges, Golden, Nightly, Reports, TestConf}

/**
 * TPC-DS at a size that no test machine holds: Spark's own plan-stability suites carry table and
 * column statistics of scale factor 100, and planning needs no more. In no query may there be more
 * shuffles, or more estimated bytes shuffled, than Spark alone plans. The whole is kept as docs/sf100.md.
 *
 * {{{
 *   build/sbt "scala/testOnly *GoldenSf100Suite"
 *   build/sbt 'scala/testOnly *GoldenSf100Suite -- -z "tpcds/q64"'
 *   make golden
 * }}}
 */
class GoldenSf100Suite extends DisableAdaptiveExecutionSuite with TPCDSBase {

  override def injectStats: Boolean = true

  override protected def sparkConf: SparkConf = TestConf.extension
    .foldLeft(super.sparkConf) { case (conf, (key, value)) => conf.set(key, value) }

  private val found = mutable.LinkedHashMap.empty[String, Sf100Plans]

  private val queries = tpcdsQueries.map("tpcds" -> _) ++
    tpcdsQueriesV2_7_0.map("tpcds-v2.7.0" -> _) ++
    modifiedTPCDSQueries.map("tpcds-modifiedQueries" -> _)

  private def turn(number: Int): Seq[Tag] = Nightly.turn(number, every = 4)

  for (((group, query), i) <- queries.zipWithIndex)
    test(s"no more shuffles and no more bytes, $group/$query", turn(i): _*) {
      assume(TestConf.extensionExists)
      val plans = planned(s"$group/$query", alone = None)
      found(plans.name) = plans
      assert(plans.shufflesWith <= plans.shufflesWithout)
      assert(plans.said == ((plans.shufflesWithout, plans.shufflesWith)))
      assert(plans.bytesWith <= plans.bytesWithout * 1.000001)
    }

  test("the keys of the tables are declared") {
    TpcdsKeys.declarations.foreach(sql)
  }

  for (((group, query), i) <- queries.zipWithIndex)
    test(s"no more shuffles with declared keys, $group/$query", turn(i): _*) {
      assume(TestConf.extensionExists)
      val name = s"$group/$query"
      // Spark knows no declared keys, which is held at night.
      val plans = planned(name, found.get(name).filterNot(_ => Nightly.on).map(_.shufflesWithout))
      found.get(name).foreach { before =>
        assert(plans.shufflesWithout == before.shufflesWithout)
        assert(plans.shufflesWith <= before.shufflesWith)
        found(name) = before.copy(withKeys = Some(plans))
      }
      assert(plans.said == ((plans.shufflesWithout, plans.shufflesWith)))
      assert(plans.bytesWith <= plans.bytesWithout * 1.000001)
    }

  test("docs/sf100.md says what the plans say") {
    assume(found.size == queries.size, "all queries must have been planned")
    assume(Golden.minor == Golden.defaultMinor, "the page is written for the default Spark")
    Golden.check("docs/sf100.md", Sf100Page(found.values.toSeq))
  }

  private def planned(name: String, alone: Option[Int]): Sf100Plans = {
    val text = resourceToString(s"$name.sql")
    def plan(colocate: Boolean) = withSQLConf("spark.colocate.enabled" -> colocate.toString,
      "spark.sql.shuffle.partitions" -> "200", SQLConf.READ_SIDE_CHAR_PADDING.key -> "false",
      SQLConf.LEGACY_NO_CHAR_PADDING_IN_PREDICATE.key -> "true") {
      val plan = sql(text).queryExecution.executedPlan
      assert(ValidateRequirements.validate(plan))
      plan
    }
    val ours = plan(colocate = true)
    Sf100Plans(name, alone.getOrElse(Exchanges.count(plan(colocate = false))),
      Exchanges.count(ours), Reports.of(ours), Exchanges.nodes(ours).flatMap(Narrowed.of),
      Reports.said(ours))
  }
}
