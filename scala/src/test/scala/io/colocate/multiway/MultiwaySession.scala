package io.colocate.multiway

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

import io.colocate.multiway.rows.MultiwayOperator
import io.colocate.report.{Finding, Findings, MultiwayReasons}
import io.colocate.testing.{CountsJobs, Exchanges, Nightly, Outcome, Reports}

/** Queries with their multiway joins, and what became of joins that form a cycle. */
private[multiway] trait MultiwaySession
    extends AnyFunSuite
    with CountsJobs
    with AdaptiveSparkPlanHelper {

  protected val Mode = "spark.colocate.multiway.mode"

  protected val BroadcastBytes = "spark.colocate.multiway.broadcastBytes"

  protected def randomEdges(n: Int, vertices: Int, seed: Int = 1): Seq[Seq[Any]] = {
    val random = new Random(seed)
    Seq.fill(n)(Seq[Any](random.nextInt(vertices), random.nextInt(vertices)))
  }

  protected val Triangle: String =
    "FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.dst AND a.src = c.src"

  protected def planOf(query: DataFrame): SparkPlan =
    query.asInstanceOf[Dataset[_]].queryExecution.executedPlan

  protected def multiway(query: DataFrame): Seq[MultiwayOperator] =
    collectWithSubqueries(planOf(query)) { case join: MultiwayOperator => join }

  protected def joined(plan: SparkPlan): Boolean =
    Seq("ColocateMultiwayJoin", "ColocateHyperCubeJoin").exists(plan.toString.contains)

  protected def reports(query: DataFrame): Seq[Finding] =
    collectWithSubqueries(planOf(query)) { case node => node }.flatMap(_.logicalLink)
      .flatMap(Findings.of(_, MultiwayReasons.Capability)).distinct

  protected def codes(query: DataFrame): Seq[String] = reports(query).map(_.reason.code.name)

  /** How many tasks do a query's multiway join. */
  protected def tasks(query: String): Int = withConf(Mode -> "force") {
    val found = sql(query)
    found.collect()
    multiway(found).head.execute().getNumPartitions
  }

  /** A view of the rows, each as a list of SQL values. */
  protected def view(name: String, columns: String, rows: Seq[Seq[Any]]): Unit =
    sql(
      s"SELECT * FROM VALUES ${rows.map(_.mkString("(", ", ", ")")).mkString(", ")} AS t($columns)")
      .createOrReplaceTempView(name)

  private var turn = 0

  /**
   * The query by Spark alone and by a multiway join, with adaptive execution on or off by turns; at night in
   * both ways.
   */
  protected def compare(query: => DataFrame)(look: DataFrame => Unit): Unit = {
    val expected = withConf(Mode -> "off") {
      val frame = query
      val rows = Outcome(frame.collect().toSeq)
      assert(multiway(frame).isEmpty)
      rows
    }
    turn += 1
    for (adaptive <- Nightly.half(Seq("true", "false"), turn))
      withConf("spark.sql.adaptive.enabled" -> adaptive, Mode -> "force") {
        val found = query
        val different = Outcome.difference(expected, Outcome(found.collect().toSeq))
        assert(different.isEmpty, s"${different.mkString}\nAQE $adaptive\n${planOf(found)}")
        assertSaid(query, found, adaptive.toBoolean)
        look(found)
      }
  }

  /** What explain() says of shuffles is what Spark alone plans, and what is planned. */
  private def assertSaid(query: => DataFrame, found: DataFrame, adaptive: Boolean): Unit = {
    val planned =
      withConf("spark.colocate.enabled" -> "false", "spark.sql.adaptive.enabled" -> "false")(
        planOf(query))
    val plans = s"AQE $adaptive\n$planned\n${planOf(found)}"
    val (alone, ours) = Reports.said(planOf(found))
    assert(alone == Exchanges.count(planned), plans)
    if (!adaptive) assert(ours == Exchanges.count(planOf(found)), plans)
  }

  /** As [[compare]], where the query has to become multiway joins. */
  protected def compareMultiway(query: => DataFrame, joins: Int = 1): Unit = compare(query) {
    found =>
      // Where adaptive execution has seen that there are no rows, only the initial plan tells.
      val plan = planOf(found)
      assert(multiway(found).length == joins || joined(plan), plan)
  }
}
