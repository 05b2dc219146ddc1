package io.colocate.functions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{AnalysisException, Row}

import io.colocate.testing.{ColocateTestSession, TestConf}

/** `colocate_broadcast_hints` and `colocate_filtered_columns`. */
class BroadcastHintsFunctionSuite extends AnyFunSuite with ColocateTestSession {

  override protected def sessionConf: Map[String, String] = TestConf.noBroadcast.toMap

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql(
      "CREATE TABLE facts USING parquet AS SELECT id AS k, id % 100 AS d, 'x' AS s FROM range(5000)")
    sql("CREATE TABLE dims USING parquet AS SELECT id AS d, id % 7 AS kind FROM range(100)")
    sql("CREATE TABLE unknown USING parquet AS SELECT id AS d FROM range(10)")
    for (table <- Seq("facts", "dims")) {
      sql(s"ANALYZE TABLE $table COMPUTE STATISTICS FOR ALL COLUMNS")
    }
  }

  private def rows(query: String, most: Long): Seq[Row] =
    spark.sql("SELECT * FROM colocate_broadcast_hints(:query, :most)",
      Map[String, Any]("query" -> query, "most" -> most)).collect().toSeq

  private def hints(query: String, most: Long = 10000): Seq[String] =
    rows(query, most).map(_.getString(1))

  test("the input that is small enough, with the text and its bytes") {
    val query = "SELECT s FROM facts f JOIN dims /* all */ ON f.d = dims.d"
    val Seq(row) = rows(query, 10000): @unchecked
    assert(row.getInt(0) == 0 && row.getString(1) == "BROADCAST(dims)")
    assert(row.getString(2) ==
      "SELECT /*+ BROADCAST(dims) */ s FROM facts f JOIN dims /* all */ ON f.d = dims.d")
    assert(row.getDouble(3) > 100 && row.getDouble(3) <= 10000)
    assert(hints(query, 10).isEmpty)
    assert(hints(query, 1000000).toSet == Set("BROADCAST(f)", "BROADCAST(dims)"))
  }

  test("a filtered side counts as what the filter leaves") {
    val query = "SELECT s FROM dims x JOIN facts f ON x.d = f.d WHERE f.k = 5"
    assert(hints(query, 200) == Seq("BROADCAST(f)"))
    assert(hints(query.replace("f.k = 5", "f.k > 5"), 200).isEmpty)
  }

  test("the SELECT that names the input has the hint, after letters beyond ASCII too") {
    val inner =
      "SELECT 'ü😀' AS u, n FROM (select /*+ COALESCE(1) */ count(*) AS n, f.d FROM facts f, dims `D 1`" +
        " WHERE f.d = `D 1`.d GROUP BY f.d) WHERE n > 1"
    val Seq(row) = rows(inner, 10000): @unchecked
    assert(row.getString(1) == "BROADCAST(`D 1`)")
    assert(row.getString(2).contains("(select /*+ BROADCAST(`D 1`) */ /*+ COALESCE(1) */ count"))
  }

  test("not the side whose rows an outer or anti join keeps") {
    for (kind <- Seq("LEFT OUTER", "LEFT ANTI", "LEFT SEMI")) {
      assert(
        hints(s"SELECT f.s FROM facts f $kind JOIN dims d ON f.d = d.d") == Seq("BROADCAST(d)"))
      assert(hints(s"SELECT d.d FROM dims d $kind JOIN facts f ON f.d = d.d").isEmpty)
    }
    assert(hints("SELECT f.s FROM facts f FULL OUTER JOIN dims d ON f.d = d.d").isEmpty)
    assert(hints("SELECT f.s FROM dims d RIGHT OUTER JOIN facts f ON f.d = d.d") ==
      Seq("BROADCAST(d)"))
  }

  test("not what Spark broadcasts by itself, what has a hint, or what has no statistics") {
    val query = "SELECT f.s FROM facts f JOIN dims d ON f.d = d.d"
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "1MB")
    try assert(hints(query).isEmpty)
    finally spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    assert(hints(query.replace("SELECT", "SELECT /*+ BROADCAST(d) */")).isEmpty)
    assert(hints("SELECT f.s FROM facts f JOIN unknown u ON f.d = u.d").isEmpty)
    assert(hints("SELECT count(*) FROM facts").isEmpty)
  }

  test("wrong arguments") {
    for ((most, said) <- Seq("0" -> "most_bytes is '0'", "'1k'" -> "most_bytes is '1k'")) {
      val error = intercept[AnalysisException](
        sql(s"SELECT * FROM colocate_broadcast_hints('SELECT 1', $most)").collect())
      assert(error.getMessage.contains(s"$said; accepted: a whole number of bytes above 0"))
    }
    val error = intercept[AnalysisException](rows("SELEC 1", 1))
    assert(error.getMessage.contains("queries[0] is 'SELEC 1'"))
  }

  private def filters(query: String): Seq[String] =
    spark.sql("SELECT * FROM colocate_filtered_columns(:query)", Map[String, Any]("query" -> query))
      .collect().toSeq.map(row => s"${row.getString(1).split('.').last}.${row.getString(2)}")

  test("the columns that a query filters by, in subqueries too, and no keys of joins") {
    assert(filters("SELECT s FROM facts f JOIN dims d ON f.d = d.d WHERE d.kind = 3 AND f.k > 1") ==
      Seq("dims.kind", "facts.k"))
    assert(filters("SELECT s FROM facts WHERE d > (SELECT max(d) FROM dims WHERE kind IN (1, 2))")
      == Seq("dims.kind", "facts.d"))
    assert(filters("SELECT s FROM facts f JOIN dims d ON f.d = d.d").isEmpty)
  }
}
