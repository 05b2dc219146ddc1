package io.colocate.exchange

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.exchange.ValidateRequirements

import io.colocate.testing.{CaseFile, ColocateTestSession, Golden, QueryCase, RunConf, ShortPlan, TestConf, TestTables}

/**
 * The plans of the catalogue's shapes without Colocate and with it, as they are kept in
 * src/test/resources/golden/<Spark minor>/catalogue.txt.
 *
 * {{{
 *   build/sbt "scala/testOnly *GoldenPlanSuite"
 *   make golden
 * }}}
 */
class GoldenPlanSuite extends AnyFunSuite with ColocateTestSession {

  /** The plans are those of the exchange planner. */
  override protected def sessionConf: Map[String, String] =
    TestConf.eightPartitions + ("spark.colocate.changes.enabled" -> "false")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.createAll(spark)
  }

  test("the catalogue's plans") {
    assumeExtension()
    val shapes = Seq("catalogue", "catalogue-optimal", "catalogue-negative")
      .flatMap(f => CaseFile.read(s"sql/$f.sql")).filter(_.hasPlanText)
    Golden.checkPlans("catalogue.txt", shapes.map(text).mkString("\n"))
  }

  private def text(shape: QueryCase): String = {
    val Seq(stock, ours) = Seq(false, true).map(plan(shape, _))
    val with_ = if (stock == ours) "the same" else ours
    s"== ${shape.name}\n-- Spark alone\n$stock\n-- with Colocate\n${with_}\n"
  }

  private def plan(shape: QueryCase, colocate: Boolean): String =
    withConf(RunConf(colocate, adaptive = false).settings ++ TestConf.noBroadcast: _*) {
      val plan = sql(shape.sql).queryExecution.executedPlan
      assert(ValidateRequirements.validate(plan), s"${shape.name}\n$plan")
      ShortPlan(plan)
    }
}
