package io.colocate.facts.estimated

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.facts.proved.Proofs
import io.colocate.report.ExchangeReasons
import io.colocate.testing.{ColocateTestSession, Reports}

/** What is estimated of the rows of an operator, from plans that are never run. */
class EstimatesSuite extends AnyFunSuite with ColocateTestSession {

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

  private def estimated(plan: SparkPlan): RowEstimates = new Estimates(new Proofs).apply(plan)

  private def columns(query: String): Map[String, ColumnEstimates] = {
    val plan = planned(query)
    val rows = estimated(plan)
    plan.output.map(column => column.name -> rows.column(column.exprId)).toMap
  }

  /** True if the columns are likely to be a key of a query, and true if they are proved to be one. */
  private def keys(query: String, names: String*): (Boolean, Boolean) = {
    val plan = planned(query)
    val of = plan.output.filter(a => names.contains(a.name))
    (estimated(plan).isLikelyKey(of), new Proofs().apply(plan).findsOne(of))
  }

  test("an inner join keeps what is known of both sides' columns") {
    val known = columns("SELECT l.v, r.g FROM l JOIN r ON l.k = r.k")
    assert(known("v").distinct == columns("SELECT v FROM l")("v").distinct)
    assert(known("g").distinct == columns("SELECT g FROM r")("g").distinct)
    assert(known("g").distinct.nonEmpty)
    assert(known("g").nullFraction.contains(0.0))
  }

  for ((join, filled, kept) <- Seq(("LEFT", Seq("g"), Seq("v")), ("RIGHT", Seq("v"), Seq("g")),
      ("FULL", Seq("v", "g"), Nil)))
    test(s"a $join JOIN leaves of the side that it fills with NULLs the width alone") {
      val known = columns(s"SELECT l.v, r.g FROM l $join JOIN r ON l.k = r.k")
      for (column <- filled) {
        assert(known(column).copy(width = None) == ColumnEstimates.Unknown, column)
        assert(known(column).width.contains(4.0))
      }
      for (column <- kept) assert(known(column).distinct.nonEmpty, column)
    }

  test("almost as many values as rows are a likely key, and prove nothing") {
    assert(keys("SELECT k, v FROM l", "k") == (true, false))
    assert(keys("SELECT k, v FROM l", "v") == (false, false))
    assert(keys("SELECT k, v FROM l", "k", "v") == (true, false))
    assert(keys("SELECT v, count(*) AS n FROM l GROUP BY v", "v") == (true, true))
    assert(keys("SELECT v, count(*) AS n FROM l GROUP BY v", "n") == (false, false))
  }

  test("by a likely key a join repeats hardly a row, and proves nothing") {
    val grouped = "(SELECT v, max(k) AS m FROM l GROUP BY v)"
    def joined(join: String) = s"SELECT g.v AS gv FROM $grouped g $join JOIN r ON g.m = r.k"
    assert(keys(joined("INNER"), "gv") == (true, false))
    assert(keys(joined("LEFT"), "gv") == (true, false))
    assert(keys(joined("RIGHT"), "gv") == (false, false))
    assert(keys(joined("FULL"), "gv") == (false, false))
    assert(keys(joined("LEFT SEMI"), "gv") == (true, true))
    // No two rows of r agree on k, but several do on g.
    assert(keys(joined("INNER").replace("r.k", "r.g"), "gv") == (false, false))
  }

  test("a join by a key of one side has as many rows as the other") {
    def rows(query: String) = estimated(planned(query)).rows
    val grouped = "(SELECT v, count(*) AS n FROM l GROUP BY v)"
    assert(rows("SELECT l.k FROM l JOIN r ON l.v = r.k").contains(4000))
    assert(rows(s"SELECT l.k FROM l JOIN $grouped g ON l.v = g.v").contains(4000))
    assert(rows("SELECT l.k FROM l JOIN r ON l.v = r.g").exists(_ > 4000))
  }

  test("estimates cannot take the place of proofs") {
    assertCompiles("new io.colocate.exchange.search.EqualColumns(new Proofs)")
    assertDoesNotCompile("new io.colocate.exchange.search.EqualColumns(new Estimates(new Proofs))")
    assertDoesNotCompile("(a: org.apache.spark.sql.catalyst.expressions.Attribute) => " +
      "new io.colocate.facts.proved.ProvedEquality(a, a)")
  }

  test("a sample with replacement repeats rows, one without does not") {
    val grouped = sql("SELECT k, count(*) AS n FROM l GROUP BY k")
    for (replaced <- Seq(true, false)) {
      val plan = grouped.sample(replaced, 0.5, 7).queryExecution.sparkPlan
      assert(estimated(plan).isLikelyKey(plan.output.filter(_.name == "k")) == !replaced)
    }
  }

  test("explode repeats rows, nobody knows which how often") {
    assert(
      columns("SELECT v FROM l LATERAL VIEW explode(sequence(1, k)) AS e")("v").distinct.isEmpty)
    assert(columns("SELECT v FROM l")("v").distinct.nonEmpty)
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
        assert(Reports.of(plan).flatMap(_.taken).isEmpty)
        val declined = Reports.of(plan).flatMap(_.kept).map(_.reason.code)
        assert(declined.contains(ExchangeReasons.UnknownSize), s"$declined\n$plan")
        // The twin: where no side is filled, the same statistics are evidence.
        val inner = sql(groupedBy("big_all").replace("LEFT JOIN", "JOIN"))
        assert(Reports.of(inner.queryExecution.executedPlan).flatMap(_.taken).nonEmpty)
      }
    }
}
