package io.colocate.advise.layouts

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.colocate.testing.{ColocateTestSession, Exchanges, TestConf}

/**
 * What is planned as if tables lay in buckets is what is planned where they really do. Each query names its
 * tables as $o, $i and $p; `plain_o` has no buckets, and `laid_o` is the same table stored in buckets.
 *
 * {{{
 *   build/sbt "scala/testOnly *WhatIfSuite"
 * }}}
 */
class WhatIfSuite extends AnyFunSuite with ColocateTestSession {

  override protected def sessionConf: Map[String, String] = TestConf.noBroadcast.toMap

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    store("o", "o_id, o_id % 50 AS o_customer, o_id % 7 AS o_day, 'x' AS o_text", "o_id", 600,
      "CLUSTERED BY (o_id) INTO 8 BUCKETS")
    store("i", "i_n, i_n % 600 AS i_order, i_n % 40 AS i_part, i_n % 9 AS i_count", "i_n", 2000,
      "CLUSTERED BY (i_order) INTO 8 BUCKETS")
    store("p", "p_id, p_id % 5 AS p_kind, p_id % 3 AS p_day", "p_id", 40,
      "PARTITIONED BY (p_day) CLUSTERED BY (p_id) INTO 4 BUCKETS")
  }

  private def store(name: String, columns: String, id: String, rows: Int, buckets: String): Unit = {
    val partitions = buckets.split(" CLUSTERED| INTO")(0)
    val plain = if (partitions.startsWith("PARTITIONED")) partitions else ""
    for ((kind, clause) <- Seq("plain" -> plain, "laid" -> buckets)) {
      sql(s"CREATE TABLE ${kind}_$name USING parquet $clause AS SELECT $columns" +
        s" FROM (SELECT id AS $id FROM range($rows))")
      sql(s"ANALYZE TABLE ${kind}_$name COMPUTE STATISTICS FOR ALL COLUMNS")
    }
    sql(s"CREATE VIEW plain_view_$name AS SELECT * FROM plain_$name WHERE ${id} > 3")
    sql(s"CREATE VIEW laid_view_$name AS SELECT * FROM laid_$name WHERE ${id} > 3")
  }

  private val queries = Seq("a join on the buckets" -> "SELECT * FROM $o JOIN $i ON o_id = i_order",
    "one side lies by other columns" -> "SELECT * FROM $i JOIN $p ON i_part = p_id",
    "a grouping" -> "SELECT i_order, sum(i_count) FROM $i GROUP BY i_order",
    "a grouping by more" -> "SELECT i_order, i_part, sum(i_count) FROM $i GROUP BY 1, 2",
    "a grouping by another column" -> "SELECT i_part, sum(i_count) FROM $i GROUP BY i_part",
    "a join, then a grouping by more" ->
      "SELECT o_id, o_day, sum(i_count) FROM $o JOIN $i ON o_id = i_order GROUP BY o_id, o_day",
    "the same table twice" ->
      "SELECT a.o_id FROM $o a JOIN $o b ON a.o_id = b.o_id JOIN $o c ON b.o_customer = c.o_id",
    "the same table by two columns" -> "SELECT * FROM $i a JOIN $i b ON a.i_order = b.i_part",
    "outer joins" ->
      "SELECT * FROM $o LEFT JOIN $i ON o_id = i_order FULL JOIN $p ON i_part = p_id",
    "a subquery" -> ("SELECT o_id, count(*) FROM $o WHERE o_id IN (SELECT i_order FROM $i WHERE i_count > 2)" +
      " GROUP BY o_id"),
    "a scalar subquery" ->
      ("SELECT * FROM $o WHERE o_id > (SELECT max(n) FROM (SELECT i_order, count(*) AS n FROM $i" +
        " GROUP BY i_order))"),
    "a common table twice" ->
      ("WITH x AS (SELECT i_order, i_part, sum(i_count) AS n FROM $i GROUP BY 1, 2)" +
        " SELECT a.i_order, max(b.n) FROM x a JOIN x b ON a.i_order = b.i_order GROUP BY a.i_order"),
    "views" -> "SELECT o_id, count(*) FROM $view_o JOIN $view_i ON o_id = i_order GROUP BY o_id",
    "a window" -> "SELECT i_order, rank() OVER (PARTITION BY i_order ORDER BY i_count) FROM $i",
    "one bucket of all" -> "SELECT i_order, count(*) FROM $i WHERE i_order = 5 GROUP BY i_order",
    "buckets that are not needed" -> "SELECT i_count FROM $i WHERE i_count > 3",
    "buckets whose column is not read" -> "SELECT i_part, count(*) FROM $i GROUP BY i_part",
    "a union" ->
      ("SELECT k, count(*) FROM (SELECT o_id AS k FROM $o UNION ALL SELECT i_order FROM $i)" +
        " GROUP BY k"),
    "a partition of all" -> "SELECT p_id, count(*) FROM $p WHERE p_day = 1 GROUP BY p_id",
    "a broadcast" -> "SELECT /*+ BROADCAST(p) */ * FROM $i JOIN $p p ON i_part = p_id JOIN $o ON i_order = o_id")

  for ((title, query) <- queries) test(title) {
    val laid = asIf(named(query, "plain"), layouts("plain"))
    assert(laid == asIf(named(query, "laid"), Nil))
    assert(laid == planned(named(query, "laid")))
  }

  test("fewer buckets on one side, joined with more") {
    withConf("spark.sql.bucketing.coalesceBucketsInJoin.enabled" -> "true") {
      sql(
        "CREATE TABLE laid_four USING parquet CLUSTERED BY (o_id) INTO 4 BUCKETS AS SELECT * FROM plain_o")
      val query = "SELECT * FROM $o JOIN $i ON o_id = i_order"
      val proposal = TableLayout(table("plain_o"), Seq("o_id"), 4) +: layouts("plain").tail
      assert(asIf(named(query, "plain"), proposal) ==
        planned(named(query, "laid").replace("laid_o", "laid_four")))
    }
  }

  test("with broadcasts, and where Spark may read buckets as if there were none") {
    for ((key, value) <- Seq("spark.sql.autoBroadcastJoinThreshold" -> "10MB",
        "spark.sql.sources.bucketing.autoBucketedScan.enabled" -> "false",
        "spark.sql.sources.bucketing.enabled" -> "false", "spark.colocate.enabled" -> "false");
      (_, query) <- queries) withConf(key -> value) {
      assert(asIf(named(query, "plain"), layouts("plain")) == planned(named(query, "laid")), query)
    }
  }

  test("files by their path") {
    val path = scratch("files")
    sql("SELECT * FROM plain_o").write.parquet(path)
    val query = s"SELECT o_id, count(*) FROM parquet.`$path` GROUP BY o_id"
    val layout = TableLayout(table(s"parquet.`$path`"), Seq("o_id"), 8)
    assert(asIf(query, Nil) == ((1, 1)) && asIf(query, Seq(layout)) == ((0, 0)))
  }

  test("a proposal leaves nothing for the next one") {
    val query = whatIf.query(parsed(named(queries(11)._2, "plain")))
    val before = query(Nil)
    val laid = query(layouts("plain"))
    assert(laid != before)
    val again = whatIf.query(parsed(named(queries(11)._2, "plain")))
    assert(again(layouts("plain")) == laid && again(Nil) == before)
  }

  test("a query whose operators Colocate replaces") {
    val triangle = "SELECT count(*) FROM $i a JOIN $i b ON a.i_part = b.i_count JOIN $i c" +
      " ON b.i_order = c.i_part AND a.i_order = c.i_count"
    assert(asIf(named(triangle, "plain"), layouts("plain")) == planned(named(triangle, "laid")))
  }

  private def whatIf = new WhatIf(spark)

  private def parsed(query: String): LogicalPlan =
    spark.sessionState.sqlParser.parsePlan(query)

  private def named(query: String, kind: String): String =
    query.replaceAll("\\$(view_)?([oip])\\b", s"${kind}_$$1$$2")

  private def table(name: String): StoredTable =
    StoredTable.of(sql(s"SELECT * FROM $name").queryExecution.analyzed.collectFirst {
      case scan: LogicalRelation => scan
    }.get).get

  private def layouts(kind: String): Seq[TableLayout] =
    Seq(TableLayout(table(s"${kind}_o"), Seq("o_id"), 8),
      TableLayout(table(s"${kind}_i"), Seq("i_order"), 8),
      TableLayout(table(s"${kind}_p"), Seq("p_id"), 4))

  /** The shuffles by Spark alone and with Colocate. */
  private def asIf(query: String, layouts: Seq[TableLayout]): (Int, Int) = {
    val found = whatIf.query(parsed(query))(layouts)
    (found.stock.count, found.colocate.count)
  }

  /** The shuffles of the plans that would run. */
  private def planned(query: String): (Int, Int) = {
    def shuffles(settings: (String, String)*) =
      withConf(settings :+ "spark.sql.adaptive.enabled" -> "false": _*) {
        Exchanges.count(sql(query).queryExecution.executedPlan)
      }
    (shuffles("spark.colocate.enabled" -> "false"), shuffles())
  }
}
