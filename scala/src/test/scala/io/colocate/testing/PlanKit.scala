package io.colocate.testing

import org.scalatest.Assertions
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ValidateRequirements

import io.colocate.explain.view.QueryReport
import io.colocate.report.{Finding, ReasonCode, ReasonKind}

/**
 * Queries that are planned and not run, for tests that are about what a rule does and not about rows:
 * {{{
 *   planned("SELECT ...").expect(ExchangeReasons.SmallEdge).shuffles(stock = 2, ours = 1)
 *   planned("SELECT ...").expectNot(ExchangeReasons.SmallEdge)
 * }}}
 */
trait PlanKit extends AnyFunSuite with ColocateTestSession {

  /** Joins shuffle unless a setting says otherwise, as in [[FourRuns]]. */
  protected def planned(query: String, settings: (String, String)*): Planned = {
    assumeExtension()
    def plan(colocate: Boolean, adaptive: Boolean) =
      withConf(RunConf(colocate, adaptive).settings ++ TestConf.noBroadcast ++
          TestConf.noGather ++ settings: _*)(sql(query).queryExecution.executedPlan)
    new Planned(plan(colocate = false, adaptive = false), plan(colocate = true, adaptive = false),
      plan(colocate = true, adaptive = true))
  }

  /** The plan of Spark's planner, without the shuffles that are added to it. */
  protected def sparkPlan(query: String, settings: (String, String)*): SparkPlan =
    withConf(RunConf(colocate = false, adaptive = false).settings ++ TestConf.noBroadcast ++
        settings: _*)(sql(query).queryExecution.sparkPlan)
}

/**
 * A query that was planned in three ways. Whatever a test asks, Spark's requirements are met, explain() says
 * how many shuffles there are, and ours are no more than Spark's.
 *
 * @param stock    by Spark alone, without adaptive execution
 * @param ours     with Colocate, without adaptive execution
 * @param adaptive with Colocate, as adaptive execution begins with it
 */
final class Planned(val stock: SparkPlan, val ours: SparkPlan, val adaptive: SparkPlan)
    extends Assertions {

  private val counts = (Exchanges.count(stock), Exchanges.count(ours))
  private val both = Seq(ours, adaptive).map(QueryReport.of)

  private val clue = new Clue(text)

  assert(ValidateRequirements.validate(ours), clue)
  private val said = Reports.said(ours)
  assert(said == counts, clue)
  assert(counts._2 <= counts._1, clue)

  /** Each is among the reasons of what was found, with adaptive execution and without. */
  def expect(codes: ReasonCode*): Planned = {
    for (found <- both; code <- codes) assert(codesOf(found.findings)(code), clue)
    this
  }

  /** None of them is. */
  def expectNot(codes: ReasonCode*): Planned = {
    for (found <- both; code <- codes) assert(!codesOf(found.findings)(code), clue)
    this
  }

  /** What was done rests on just this evidence. */
  def expectEvidence(codes: ReasonCode*): Planned = {
    for (found <- both)
      assert(codesOf(found.taken).filter(_.kind == ReasonKind.Evidence) == codes.toSet, clue)
    this
  }

  def shuffles(stock: Int, ours: Int): Planned = {
    assert(counts == ((stock, ours)), clue)
    this
  }

  /** The findings, then both plans, then what is proved of each operator of ours. */
  def text: String =
    s"${both.head.findings.mkString("\n")}\n$stock\n$ours\n${FactsText(ours)}"

  private def codesOf(findings: Seq[Finding]): Set[ReasonCode] =
    findings.flatMap(_.withParts).flatMap(_.reasons).map(_.code).toSet
}
