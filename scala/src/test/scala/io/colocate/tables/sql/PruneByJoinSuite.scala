package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.FileSourceScanExec

import io.colocate.explain.view.QueryReport
import io.colocate.report.{Findings, InternalError}
import io.colocate.testing.EveryThird

/** Files that a scan leaves out at run time, by the keys of the other side of a join. */
class PruneByJoinSuite extends TableSession with EveryThird {

  private lazy val sales: String = {
    val path = create(spark.range(20000).selectExpr("id AS n", "CAST(id / 200 AS INT) AS day",
      "concat('s', CAST(id / 1000 AS INT)) AS shop"), "columns" -> "day", "maxLeafRows" -> "400")
    read(path).createOrReplaceTempView("sales")
    path
  }

  private def days(): Unit = {
    sales
    spark.range(100).selectExpr("CAST(id AS INT) AS d", "id % 50 AS week",
      "concat('s', id) AS name")
      .createOrReplaceTempView("days")
  }

  /** Files that the scan of `sales` has read, of those it could have. */
  private def filesRead(query: DataFrame): (Long, Long) = {
    val scans = collectWithSubqueries(query.queryExecution.executedPlan) {
      case scan: FileSourceScanExec
          if scan.relation.location.rootPaths.exists(
            _.toString.endsWith(new java.io.File(sales).getName)) =>
        scan
    }
    (scans.map(_.metrics("numFiles").value).sum, log(sales).snapshot().files.length.toLong)
  }

  private def check(query: String)(files: (Long, Long) => Boolean): Unit = {
    days()
    for (adaptive <- Seq("true", "false")) {
      withConf("spark.sql.adaptive.enabled" -> adaptive) {
        val expected = withConf("spark.colocate.enabled" -> "false")(sql(query).collect().toSeq)
        val found = sql(query)
        val rows = found.collect().toSeq
        assert(rows.map(_.toString).sorted == expected.map(_.toString).sorted, query)
        val (read, all) = filesRead(found)
        assert(files(read, all),
          s"AQE $adaptive: $read of $all files, $query\n" +
            found.queryExecution.executedPlan)
      }
    }
  }

  private def prunes(query: String): Unit = check(query)((read, all) => read < all / 4)
  private def keeps(query: String): Unit = check(query)((read, all) => read == all)

  test("an inner join with a filtered side") {
    prunes("SELECT count(*), sum(n) FROM sales JOIN days ON day = d WHERE week = 7")
    prunes("SELECT count(*), sum(n) FROM days JOIN sales ON day = d WHERE week = 7")
  }

  test("a semi join") {
    prunes("SELECT sum(n) FROM sales LEFT SEMI JOIN days ON day = d AND week = 7")
  }

  test("below other joins, filters and projections") {
    prunes(
      "SELECT sum(m) FROM (SELECT n + 1 AS m, day AS x FROM sales WHERE n % 2 = 0) JOIN days ON x = d" +
        " WHERE week = 7")
    prunes(
      "SELECT sum(n) FROM sales JOIN days a ON day = a.d JOIN days b ON day = b.d WHERE b.week = 7")
  }

  test("in a subquery") {
    prunes("SELECT d, (SELECT sum(n) FROM sales JOIN days ON day = d WHERE week = 7) FROM days")
    prunes("SELECT count(*) FROM days WHERE d * 1000 >" +
      " (SELECT avg(n) FROM sales JOIN days ON day = d WHERE week = 7)")
    keeps("SELECT d, (SELECT sum(n) FROM sales JOIN days ON day = d) FROM days")
  }

  test("joins that keep rows without a match read all files") {
    keeps(
      "SELECT sum(n), count(d) FROM sales LEFT JOIN (SELECT * FROM days WHERE week = 7) ON day = d")
    keeps("SELECT sum(n) FROM sales LEFT ANTI JOIN (SELECT * FROM days WHERE week = 7) ON day = d")
    keeps(
      "SELECT sum(n), count(d) FROM sales FULL JOIN (SELECT * FROM days WHERE week = 7) ON day = d")
  }

  test("a side without a filter, and a limit in between, read all files") {
    keeps("SELECT sum(n) FROM sales JOIN days ON day = d")
    keeps(
      "SELECT count(*) FROM (SELECT * FROM sales LIMIT 30000) JOIN days ON day = d WHERE week = 7")
  }

  test("no key leaves no file") {
    check("SELECT sum(n) FROM sales JOIN days ON day = d WHERE week = 700")((read, _) => read == 0)
  }

  test("a key that is not broadcast prunes nothing, and costs nothing") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1") {
      keeps("SELECT count(*), sum(n) FROM sales JOIN days ON day = d WHERE week = 7")
    }
  }

  test("explain says by the keys of which joins files may be left out when the query runs") {
    days()
    val join = "SELECT sum(n) FROM sales JOIN days ON day = d"
    val line = "  may be pruned at run time by the keys of a join: "
    def says(query: String): Boolean = {
      val text = sql(s"EXPLAIN $query").head().getString(0)
      assert(text.contains("scan: "), text)
      text.contains(line)
    }
    for (adaptive <- Seq("true", "false")) {
      withConf("spark.sql.adaptive.enabled" -> adaptive) {
        assert(says(s"$join WHERE week = 7") && !says(join), adaptive)
        withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1")(
          assert(!says(s"$join WHERE week = 7"), adaptive))
        withConf("spark.colocate.layout.enabled" -> "false")(assert(!says(s"$join WHERE week = 7"),
          adaptive))
        val run = sql(s"$join WHERE week = 7")
        run.collect()
        val found = QueryReport.of(run.queryExecution.executedPlan).others
        assert(found.flatMap(_.parts).exists(_.text.endsWith("the keys of a join: day")), adaptive)
      }
    }
  }

  test("the hidden column is not seen") {
    days()
    val query = sql("SELECT * FROM sales JOIN days ON day = d WHERE week = 7")
    assert(query.columns.toSeq == Seq("n", "day", "shop", "d", "week", "name"))
    assert(query.collect().forall(_.length == 6))
  }

  test("a join on several keys, each of which is one of those that are broadcast together") {
    prunes(
      "SELECT count(*), sum(n) FROM sales JOIN (SELECT d, concat('s', CAST(d / 5 AS INT)) AS name, week" +
        " FROM days) ON day = d AND shop = name WHERE week = 7")
    prunes("SELECT count(*), sum(n) FROM sales JOIN (SELECT d, d + 1 AS e, week FROM days)" +
      " ON day = d AND day + 1 = e WHERE week = 7")
  }

  test("a key that is NULL, and keys of another type, keep the rows") {
    prunes(
      "SELECT count(*), sum(n) FROM sales JOIN (SELECT IF(week = 8, NULL, d) AS d, week FROM days)" +
        " ON day = d WHERE week IN (7, 8)")
    keeps(
      "SELECT count(*), sum(n) FROM sales JOIN (SELECT CAST(d AS BIGINT) AS d, week FROM days)" +
        " ON day = d WHERE week = 7")
  }

  test("a column of a table may be named as the hidden one") {
    val path =
      create(spark.range(4000).selectExpr("id AS __colocate_file", "CAST(id / 40 AS INT) AS day",
        "id AS __COLOCATE_FILE_"), "columns" -> "day", "maxLeafRows" -> "100")
    read(path).createOrReplaceTempView("hidden_names")
    days()
    val query = "SELECT sum(__colocate_file), count(*) FROM hidden_names JOIN days ON day = d" +
      " WHERE week = 7"
    val expected = withConf("spark.colocate.enabled" -> "false")(sql(query).collect().toSeq)
    val found = sql(query)
    assert(found.collect().toSeq == expected)
    assert(found.queryExecution.executedPlan.toString.contains("keys(day)") ||
      found.queryExecution.executedPlan.toString.contains("dynamicpruning"))
  }

  test("a key of VARCHAR has ranges as one of STRING") {
    days()
    sql("CREATE TABLE varchar_sales (n BIGINT, shop VARCHAR(20)) USING colocate" +
      " OPTIONS (columns 'shop', maxLeafRows '400')")
    sql("INSERT INTO varchar_sales SELECT n, shop FROM sales")
    val query = "SELECT count(*) FROM varchar_sales JOIN days ON shop = name WHERE week = 7"
    val found = sql(query)
    assert(found.head() == withConf("spark.colocate.enabled" -> "false")(sql(query).head()))
    found.collect()
    val scans = collectWithSubqueries(found.queryExecution.executedPlan) {
      case scan: FileSourceScanExec if scan.relation.location.toString.contains("varchar_sales") =>
        scan.metrics("numFiles").value
    }
    val files = log(spark.sessionState.catalog.getTableMetadata(
        spark.sessionState.sqlParser.parseTableIdentifier("varchar_sales")).location.getPath)
      .snapshot().files.length
    assert(scans.sum * 4 < files, s"$scans of $files")
  }

  test("an error in it, or in what it leaves to the physical plan, is told") {
    days()
    val plan = sql("SELECT count(*) FROM sales JOIN days ON day = d WHERE week = 7").queryExecution
    val error = new IllegalStateException("broken")
    val logical = Findings.of(PruneByJoin.failed(plan.optimizedPlan, error))
    val physical = Findings.of(PlanFileKeys.failed(plan.sparkPlan, error))
    val rules = Seq("prune-by-join" -> logical, "plan-file-keys" -> physical)
    for ((rule, found) <- rules) assert(found.map(_.reason) == Seq(InternalError(rule, error)))
  }
}
