package io.colocate.hyperjoin

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.hyperjoin.exec.ColocateHyperScan
import io.colocate.report.{Finding, Findings, HyperJoinReasons}
import io.colocate.tables.sql.TableSession
import io.colocate.testing.{Nightly, Outcome}

/** Joins of robust tables, with what became of them. */
private[hyperjoin] trait HyperJoinSession extends TableSession {

  protected val NoBroadcast: Seq[(String, String)] =
    Seq("spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1")

  protected def planOf(query: DataFrame): SparkPlan =
    query.asInstanceOf[Dataset[_]].queryExecution.executedPlan

  protected def scansOfGroups(query: DataFrame): Seq[ColocateHyperScan] =
    collectWithSubqueries(planOf(query)) { case scan: ColocateHyperScan => scan }

  protected def shuffles(query: DataFrame): Int =
    collectWithSubqueries(planOf(query)) { case shuffle: ShuffleExchangeLike => shuffle }.length

  protected def reports(query: DataFrame): Seq[Finding] =
    collectWithSubqueries(planOf(query)) { case node => node }.flatMap(_.logicalLink)
      .flatMap(Findings.of(_, HyperJoinReasons.Capability)).distinct

  protected def codes(query: DataFrame): Seq[String] = reports(query).map(_.reason.code.name)

  protected def explained(query: DataFrame): String = query.queryExecution.explainString(
    org.apache.spark.sql.execution.ExplainMode.fromString("simple"))

  /** What is done to a number to make a key of each type. */
  protected val KeyTypes: Map[String, String] = Map("INT" -> "CAST(n AS INT)", "BIGINT" -> "n",
    "DECIMAL(12, 2)" -> "CAST(n AS DECIMAL(12, 2)) / 4",
    "DATE" -> "date_add(DATE '2000-01-01', CAST(n AS INT))",
    "TIMESTAMP" -> "timestamp_seconds(n * 3600)", "STRING" -> "concat('k', lpad(n, 6, '0'))",
    "BINARY" -> "CAST(concat('k', lpad(n, 6, '0')) AS BINARY)",
    "DOUBLE" -> "IF(n % 50 = 0, CAST('NaN' AS DOUBLE), IF(n % 50 = 1, IF(n % 2 = 0, 0.0, -0.0), n / 8))",
    "FLOAT" -> "CAST(IF(n % 50 = 0, 'NaN', CAST(n AS STRING)) AS FLOAT)")

  /** Rows whose keys go from a number to another; `every` makes so many alike, and some are NULL. */
  protected def rows(key: String, from: Int, to: Int, every: Int, seed: Int): DataFrame =
    spark.range(from, to).selectExpr(s"id - id % $every AS n", s"(id * 7919 + $seed) % 100 AS v")
      .selectExpr(s"IF(v = 7, NULL, $key) AS k", "v")

  private val adaptive = Seq("true", "false")

  /** The query without a hyper-join, and with one wherever it is valid; both ways of execution. */
  protected def compare(query: => DataFrame)(look: DataFrame => Unit): Unit =
    compare(adaptive)(query)(look)

  /** The same in one way of execution, by turns; in both at night. */
  protected def compareOnce(turn: Int)(query: => DataFrame)(look: DataFrame => Unit): Unit =
    compare(Nightly.half(adaptive, turn))(query)(look)

  private def compare(ways: Seq[String])(query: => DataFrame)(look: DataFrame => Unit): Unit = {
    def mode(name: String) = NoBroadcast :+ ("spark.colocate.hyperjoin.mode" -> name)
    val expected = withConf(mode("off"): _*) {
      val frame = query
      val rows = Outcome(frame.collect().toSeq)
      assert(scansOfGroups(frame).isEmpty)
      rows
    }
    for (adaptive <- ways)
      withConf(mode("force") :+ ("spark.sql.adaptive.enabled" -> adaptive): _*) {
        val found = query
        val different = Outcome.difference(expected, Outcome(found.collect().toSeq))
        assert(different.isEmpty, s"${different.mkString}\nAQE $adaptive\n${planOf(found)}")
        look(found)
      }
  }
}
