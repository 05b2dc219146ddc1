package io.colocate.facts.estimated

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.report.ExchangeReasons
import io.colocate.testing.{ColocateTestSession, Reports}

/** What is known of the rows of an operator, from plans that are never run. */
class FactsSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("l", 4000, "CAST(id AS INT) AS k, CAST(id % 50 AS INT) AS v")
    table("r", 80, "CAST(id AS INT) AS k, CAST(id % 40 AS INT) AS g")
    table("big_l", 40000, "CAST(id AS INT) AS k, CAST(id % 7 AS INT) AS x, md5(string(id)) AS s")
    table("big_r", 8000, "CAST(id * 1000 AS INT) AS k, CAST(id AS INT) AS g")
    table("big_all", 40000, "CAST(id AS INT) AS k, CAST(id % 8000 AS INT) AS g")
  }

  private def table(name: String, rows: Int, columns: String): Unit = {
    sql(s"CREATE TABLE $name USING parquet AS SELECT $columns FROM range($rows)")
    sql(s"ANALYZE TABLE $name COMPUTE STATISTICS FOR ALL COLUMNS")
  }

  private def planned(query: String): SparkPlan =
    withConf("spark.sql.adaptive.enabled" -> "false", "spark.colocate.enabled" -> "false",
      "spark.sql.autoBroadcastJoinThreshold" -> "-1") {
      sql(query).queryExecution.executedPlan
    }

  private def facts(query: String): Map[String, ColumnFacts] = {
    val plan = planned(query)
    val known = new Facts().apply(plan)
    plan.output.map(column => column.name -> known.column(column.exprId)).toMap
  }

  private def unique(query: String)(column: Attribute => Boolean): Boolean = {
    val plan = planned(query)
    new Facts().apply(plan).unique.exists(
      _.subsetOf(plan.output.filter(column).map(_.exprId).toSet))
  }

  test("an inner join keeps what is known of both sides' columns") {
    val known = facts("SELECT l.v, r.g FROM l JOIN r ON l.k = r.k")
    assert(known("v").distinct == facts("SELECT v FROM l")("v").distinct)
    assert(known("g").distinct == facts("SELECT g FROM r")("g").distinct)
    assert(known("g").distinct.nonEmpty)
    assert(known("g").nullFraction.contains(0.0))
  }

  for ((join, filled, kept) <- Seq(("LEFT", Seq("g"), Seq("v")), ("RIGHT", Seq("v"), Seq("g")),
      ("FULL", Seq("v", "g"), Nil)))
    test(s"a $join JOIN leaves of the side that it fills with NULLs the width alone") {
      val known = facts(s"SELECT l.v, r.g FROM l $join JOIN r ON l.k = r.k")
      for (column <- filled) {
        assert(known(column).copy(width = None) == ColumnFacts.Unknown, column)
        assert(known(column).width.contains(4.0))
      }
      for (column <- kept) assert(known(column).distinct.nonEmpty, column)
    }

  test("a side that is filled with NULLs is unique no longer") {
    val grouped = "(SELECT k, count(*) AS n FROM l GROUP BY k)"
    def joined(join: String) = s"SELECT g.k AS gk FROM $grouped g $join JOIN r ON g.k = r.k"
    assert(unique(joined("INNER"))(_.name == "gk"))
    assert(unique(joined("LEFT"))(_.name == "gk"))
    assert(!unique(joined("RIGHT"))(_.name == "gk"))
    assert(!unique(joined("FULL"))(_.name == "gk"))
  }

  test("a sample with replacement repeats rows, one without does not") {
    val grouped = sql("SELECT k, count(*) AS n FROM l GROUP BY k")
    for (replaced <- Seq(true, false)) {
      val plan = grouped.sample(replaced, 0.5, 7).queryExecution.sparkPlan
      assert(new Facts().apply(plan).unique.isEmpty == replaced)
    }
  }

  test("explode repeats rows, nobody knows which how often") {
    assert(facts("SELECT v FROM l LATERAL VIEW explode(sequence(1, k)) AS e")("v").distinct.isEmpty)
    assert(facts("SELECT v FROM l")("v").distinct.nonEmpty)
  }

  /** Spark's limit for the largest partition; what is small at scale is some KB here. */
  private val limits = Seq("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "100k",
    "spark.colocate.exchange.minKeysPerPartition" -> "16", "spark.sql.shuffle.partitions" -> "6",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1")

  private def groupedBy(right: String): String =
    s"SELECT g, max(n) FROM (SELECT r.g, l.x, l.s, count(*) AS n FROM big_l l LEFT JOIN $right r " +
      "ON l.k = r.k GROUP BY r.g, l.x, l.s) GROUP BY g"

  for (adaptive <- Seq(true, false))
    test(s"most rows of a left join find nothing: not hashed on a right column, AQE $adaptive") {
      withConf(limits :+ ("spark.sql.adaptive.enabled" -> adaptive.toString): _*) {
        val plan = sql(groupedBy("big_r")).queryExecution.executedPlan
        assert(Reports.of(plan).flatMap(_.removals).isEmpty)
        val declined = Reports.of(plan).flatMap(_.declines).map(_.reason.code)
        assert(declined.contains(ExchangeReasons.UnknownSize), s"$declined\n$plan")
        // The twin: where no side is filled, the same statistics are evidence.
        val inner = sql(groupedBy("big_all").replace("LEFT JOIN", "JOIN"))
        assert(Reports.of(inner.queryExecution.executedPlan).flatMap(_.removals).nonEmpty)
      }
    }
}
