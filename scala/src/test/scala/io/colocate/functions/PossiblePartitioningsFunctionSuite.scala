package io.colocate.functions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{AnalysisException, Row}

import io.colocate.functions.call.InvalidArgument
import io.colocate.testing.{ColocateTestSession, TestConf}

/** `colocate_possible_partitionings` and `colocate_layout_requirements`: their rows, and what they refuse. */
class PossiblePartitioningsFunctionSuite extends AnyFunSuite with ColocateTestSession {

  override protected def sessionConf: Map[String, String] = TestConf.noBroadcast.toMap

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for (table <- Seq("t", "u")) sql(s"CREATE TABLE $table (a INT, b INT) USING parquet")
  }

  private val (t, u) = ("spark_catalog.default.t", "spark_catalog.default.u")

  private def rows(call: String): Seq[Row] = sql(s"SELECT * FROM $call").collect().toSeq

  private def possible(queries: String, more: String = ""): Seq[Row] =
    rows(s"colocate_possible_partitionings($queries$more)")

  private val join = "'SELECT t.a, u.b FROM t JOIN u ON t.a = u.a AND t.b = u.b'"

  test("a row for each input of each position") {
    val found = possible(join)
    assert(
      found.map(r => (r.getString(0), r.getInt(1), r.getInt(2), r.getString(3), r.getString(4))) ==
        Seq(("together", 1, 1, t, "a"), ("together", 1, 1, u, "a"), ("together", 1, 2, t, "b"),
          ("together", 1, 2, u, "b")))
    assert(found.map(_.getString(5)).distinct == Seq("column"))
    assert(found.map(_.getString(6)).distinct == Seq("SortMergeJoin (a, b)"))
  }

  test("several queries, inputs that may lie anyhow, and what gathers the result") {
    val found = possible("""'["SELECT count(*) FROM t", "SELECT * FROM u"]'""")
    assert(
      found.map(r => (r.getString(0), r.getString(3), r.getString(7))) == Seq(("anyhow", t, null),
        ("anyhow", u, null), ("at the end", null, "ALL_TUPLES")))
  }

  test("why there is no answer") {
    val Seq(why) = possible("'SELECT * FROM t x JOIN t y ON x.a = y.b'"): @unchecked
    assert(why.getString(0) == "impossible" && why.getString(7) == "SELF_JOIN_FIELDS")
    assert(why.getString(8) == s"$t would have to lie by two fields at once")
  }

  test("a loop hands its result to the next turn") {
    val turn = "'SELECT a, max(b) AS b FROM t GROUP BY a'"
    assert(possible(turn, """, '["SELECT * FROM t"]'""").map(_.getString(4)) == Seq("a"))
    val swapped = "'SELECT max(b) AS a, a AS b FROM t GROUP BY a'"
    assert(possible(swapped, """, '["SELECT * FROM t"]'""").map(_.getString(7)).contains(
        "CYCLE_CHANGES_KEY"))
  }

  test("the keys of each operator, traced to tables") {
    val union = "SELECT a, count(*) FROM (SELECT a FROM t UNION ALL SELECT b FROM u) GROUP BY a"
    val found = rows(
      s"""colocate_layout_requirements('["SELECT t.a FROM t JOIN u ON t.a = u.b", "$union"]')""")
    assert(found.map(r =>
      (r.getInt(0), r.getString(2), r.getInt(3), r.getInt(4), r.getString(5),
        r.getString(6))) == Seq((0, "SortMergeJoin", 0, 0, t, "a"), (0, "SortMergeJoin", 1, 0, u,
      "b"), (1, "HashAggregate", 0, 0, t, "a"), (1, "HashAggregate", 0, 0, u, "b")))
  }

  test("a side that is in place shuffles nothing") {
    val found = rows(
      "colocate_layout_requirements('SELECT t.a, count(*) FROM t JOIN u ON t.a = u.b GROUP BY t.a')")
    assert(found.map(r => (r.getString(2), r.getInt(3), r.getDouble(7) > 0)).toSet ==
      Set(("HashAggregate", 0, false), ("SortMergeJoin", 0, true), ("SortMergeJoin", 1, true)))
  }

  test("a key that cannot be traced has no table") {
    val found = rows(
      "colocate_layout_requirements('SELECT n, count(*) FROM (SELECT count(*) AS n FROM t GROUP BY a) GROUP BY n')")
    assert(found.map(_.getString(6)).toSet == Set("a", null))
  }

  for ((call, said) <- Seq("colocate_possible_partitionings()" -> "queries is missing",
      "colocate_possible_partitionings('SELEC 1')" -> "queries[0] is 'SELEC 1'",
      "colocate_possible_partitionings('SELECT nope FROM t')" -> "queries[0] is 'SELECT nope FROM t'",
      "colocate_possible_partitionings('DROP TABLE t')" -> "queries[0] is 'DROP TABLE t'",
      "colocate_possible_partitionings('[]')" -> "queries is '[]'",
      """colocate_possible_partitionings('SELECT * FROM t', '["SELECT a + 1 FROM t"]')""" -> "state is",
      """colocate_possible_partitionings('SELECT * FROM t', '["SELECT * FROM t", "SELECT * FROM u"]')""" ->
        "state is", "colocate_layout_requirements('[1')" -> "queries is '[1'"))
    test(s"refused: $call") {
      val error = intercept[AnalysisException](rows(call))
      assert(error.getMessage.contains(InvalidArgument.ErrorClass))
      assert(error.getMessage.contains(said), error.getMessage)
    }
}
