package io.colocate.hyperjoin

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.layout.source.TableSession

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

  protected def reports(query: DataFrame): Seq[HyperJoinReport] =
    collectWithSubqueries(planOf(query)) { case node => node }.flatMap(_.logicalLink)
      .flatMap(HyperJoinReport.of).distinct

  protected def codes(query: DataFrame): Seq[String] = reports(query).map(_.reason.code.name)

  protected def explained(query: DataFrame): String = query.queryExecution.explainString(
    org.apache.spark.sql.execution.ExplainMode.fromString("simple"))

  /** The query without a hyper-join, and with one wherever it is valid; both ways of execution. */
  protected def compare(query: => DataFrame)(look: DataFrame => Unit): Unit =
    for (adaptive <- Seq("true", "false"))
      withConf(NoBroadcast :+ ("spark.sql.adaptive.enabled" -> adaptive): _*) {
        val expected = withConf("spark.colocate.hyperjoin.mode" -> "off") {
          val frame = query
          frame.collect()
          assert(scansOfGroups(frame).isEmpty)
          frame
        }
        withConf("spark.colocate.hyperjoin.mode" -> "force") {
          val found = query
          same(expected, found)
          look(found)
        }
      }
}
