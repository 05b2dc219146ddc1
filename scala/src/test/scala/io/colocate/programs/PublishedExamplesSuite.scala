package io.colocate.programs

import io.colocate.facts.proved.StubPlans
import io.colocate.report.ProgramReasons._

/**
 * The examples of the published analysis, and the verdict that is right for Spark. Where it is another one,
 * the test says why.
 */
class PublishedExamplesSuite extends ProgramKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for (table <- Seq("t1", "t2"))
      sql(s"CREATE TABLE $table (a INT, b INT, c INT) USING parquet")
  }

  test("a map and a filter ask for nothing") {
    possible(analysed("SELECT b, a + 2 FROM t1"))()
    possible(analysed("SELECT b, a + 2 FROM t1 WHERE a > 1"))()
    assert(analysed("SELECT b FROM t1").anyhow.map(_.name) == Seq("spark_catalog.default.t1"))
  }

  test("a key is followed through a map to the field that it is, or to its function") {
    possible(analysed("SELECT x, count(*) FROM (SELECT b AS x FROM t1) GROUP BY x"))(Set("t1.b"))
    possible(analysed("SELECT x, count(*) FROM (SELECT b % 7 AS x FROM t1) GROUP BY x"))(
      Set("t1.(b % 7)"))
  }

  test("a chain of one input keeps the field that both branches have") {
    val chain = "SELECT a AS x, b AS y FROM t1 UNION ALL SELECT c AS x, b AS y FROM t1"
    possible(analysed(s"SELECT x, y, count(*) FROM ($chain) GROUP BY x, y"))(Set("t1.b"))
    impossible(analysed(s"SELECT x, count(*) FROM ($chain) GROUP BY x"))(SelfJoinFields)
    possible(analysed(chain))()
  }

  test("a chain of two inputs needs a field of each") {
    val chain = "SELECT a AS x FROM t1 UNION ALL SELECT b FROM t2"
    possible(analysed(s"SELECT x, count(*) FROM ($chain) GROUP BY x"))(Set("t1.a=t2.b"))
  }

  test("a cross product is impossible, but with a broadcast side") {
    impossible(analysed("SELECT * FROM t1, t2"))(CrossProduct)
    impossible(analysed(s"SELECT t1.a, count(*) FROM t1, t2 GROUP BY t1.a"))(CrossProduct,
      FieldLost)
    possible(analysed("SELECT /*+ BROADCAST(t2) */ t1.a, count(*) FROM t1, t2 GROUP BY t1.a"))(
      Set("t1.a"))
  }

  test("a join needs both inputs alike") {
    possible(analysed("SELECT * FROM t1 JOIN t2 ON t1.a = t2.b"))(Set("t1.a=t2.b"))
    possible(analysed("SELECT * FROM t1 JOIN t2 ON t1.a = t2.b AND t1.b = t2.c"))(Set("t1.a=t2.b",
      "t1.b=t2.c"))
  }

  // Rows (5, 7) and (7, 7) join, and would lie apart by their first field.
  test("hole a: a self join on two fields has no common layout") {
    impossible(analysed("SELECT * FROM t1 x JOIN t1 y ON x.a = y.b"))(SelfJoinFields)
    possible(analysed("SELECT * FROM t1 x JOIN t1 y ON x.b = y.b"))(Set("t1.b"))
  }

  test("enumerate and reduce bring all rows together") {
    assert(analysed("SELECT sum(a) FROM t1").gathered.map(_.reason.code) == Seq(AllTuples))
    assert(analysed("SELECT row_number() OVER (ORDER BY a) FROM t1").gathered.map(_.reason.code) ==
      Seq(AllTuples))
    impossible(analysed(
        "SELECT n, count(*) FROM (SELECT a, row_number() OVER (ORDER BY a) AS n FROM t1) x JOIN t2 ON x.a = t2.a GROUP BY n"))(
      AllTuples, FieldLost)
  }

  test("a keyed reduce needs its key, or one of them") {
    possible(analysed("SELECT a, count(*) FROM t1 GROUP BY a"))(Set("t1.a"))
    possible(analysed("SELECT a, b, count(*) FROM t1 GROUP BY a, b"))(Set("t1.a", "t1.b"))
    impossible(
      analysed("SELECT n, count(*) FROM (SELECT count(*) AS n FROM t1 GROUP BY a) GROUP BY n"))(
      FieldLost)
  }

  test("several inputs meet on one field") {
    possible(
      analysed("""SELECT x, count(*) FROM (SELECT b AS x FROM t1 UNION ALL SELECT b FROM t2) u
          |JOIN (SELECT b, max(c) FROM t1 GROUP BY b) g ON u.x = g.b GROUP BY x""".stripMargin))(
      Set("t1.b=t2.b"))
  }

  test("a difference and an anti-join need the same field of both") {
    possible(analysed("SELECT * FROM t1 LEFT ANTI JOIN t2 ON t1.a = t2.a AND t1.b = t2.b"))(
      Set("t1.a=t2.a", "t1.b=t2.b"))
  }

  // Rows (1, 2) and (1, 3), which lie apart by b, would both give 1.
  test("hole c: DISTINCT needs a field that is still there") {
    possible(analysed("SELECT DISTINCT a FROM t1"))(Set("t1.a"))
    possible(analysed("SELECT DISTINCT a, b FROM t1"))(Set("t1.a", "t1.b"))
  }

  test("hole e: a relation of the query's own is an input like others") {
    val found = analysed(
      "SELECT a, count(*) FROM (SELECT a FROM t1 UNION ALL SELECT * FROM VALUES (1), (2) v(a)) GROUP BY a")
    assert(found.agreements.flatMap(_.inputs.map(_.name)) ==
      Seq("LocalTableScan (a)", "spark_catalog.default.t1"))
  }

  test("hole f: a cast is another field") {
    possible(
      analysed("SELECT CAST(a AS BIGINT) AS x, count(*) FROM t1 GROUP BY CAST(a AS BIGINT)"))(
      Set("t1.CAST(a AS BIGINT)"))
  }

  test("a partition into two parts asks for nothing") {
    possible(analysed("SELECT * FROM t1 WHERE a > 3", "SELECT * FROM t1 WHERE a <= 3"))()
  }

  test("several queries agree, or do not") {
    possible(analysed("SELECT a, b, count(*) FROM t1 GROUP BY a, b",
      "SELECT * FROM t1 JOIN t2 ON t1.b = t2.c"))(Set("t1.b=t2.c"))
    impossible(analysed("SELECT a, count(*) FROM t1 GROUP BY a",
      "SELECT b, count(*) FROM t1 GROUP BY b"))(NoCommonField)
  }

  test("the rows of an outer join lie by the keys of the kept side") {
    val join = "SELECT l.a, r.a AS ra FROM t1 l LEFT JOIN t2 r ON l.a = r.a"
    possible(analysed(s"SELECT a, count(*) FROM ($join) GROUP BY a"))(Set("t1.a=t2.a"))
    impossible(analysed(s"SELECT ra, count(*) FROM ($join) GROUP BY ra"))(NullExtended)
    val full = "SELECT coalesce(l.a, r.a) AS k, l.a FROM t1 l FULL JOIN t2 r ON l.a = r.a"
    possible(analysed(s"SELECT k, count(*) FROM ($full) GROUP BY k"))(Set("t1.a=t2.a"))
    impossible(analysed(s"SELECT a, count(*) FROM ($full) GROUP BY a"))(NullExtended)
  }

  test("a broadcast side may lie anyhow, and its key is the other side's") {
    val found = analysed(
      "SELECT /*+ BROADCAST(t2) */ t2.c, count(*) FROM t1 JOIN t2 ON t1.a = t2.c GROUP BY t2.c")
    possible(found)(Set("t1.a"))
    assert(found.anyhow.map(_.name) == Seq("spark_catalog.default.t2"))
  }

  test("of an operator that is not known nothing is said to be possible") {
    val rows = StubPlans.Rows(Seq(StubPlans.column("a")))
    impossible(new PossiblePartitionings(new SparkPlans(spark)).of(Seq(rows)))(UnknownOperator)
  }

  test("a shuffle that is asked for moves rows") {
    impossible(analysedFrames(Seq(spark.table("t1").repartition(3).groupBy("a").count())))(
      AskedShuffle, FieldLost)
  }

  test("a column that the key determines serves as well") {
    possible(
      analysed("SELECT b, count(*) FROM (SELECT b, max(a) AS m FROM t1 GROUP BY b) GROUP BY b"))(
      Set("t1.b"))
    possible(analysed(
        "SELECT m, b, count(*) OVER (PARTITION BY m, b) FROM (SELECT b, max(a) AS m FROM t1 GROUP BY b)"))(
      Set("t1.b"))
  }
}
