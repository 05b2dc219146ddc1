package io.colocate.programs

import org.apache.spark.sql.Row

import io.colocate.fuzz.Dice
import io.colocate.testing.{Nightly, RunConf}

/**
 * What an answer means for rows: with the inputs split by its fields, the query over each part alone gives its
 * part of the rows, and all parts together give all rows.
 */
class PartsSuite extends ProgramKit {

  private val parts = 3

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    val dice = new Dice(5)
    def value = if (dice.chance(0.15)) "NULL" else dice.below(7).toString
    for ((table, columns) <- RandomPrograms.tables) {
      val rows = Seq.fill(30)(columns.map(_ => value).mkString("(", ", ", ")"))
      sql(s"CREATE TABLE $table USING parquet AS SELECT ${columns.map(c => s"CAST($c AS INT) AS $c")
          .mkString(", ")} FROM VALUES ${rows.mkString(", ")} v(${columns.mkString(", ")})")
    }
  }

  /** Rows that are in no agreement may be anywhere, so they are split by all columns. */
  private def split(query: String, layout: Map[String, Seq[String]], part: Int): String =
    RandomPrograms.tables.foldLeft(query) { case (text, (table, columns)) =>
      val by = layout.getOrElse(s"spark_catalog.default.$table", columns).mkString(", ")
      text.replaceAll(s"FROM $table\\b",
        s"FROM (SELECT * FROM $table WHERE pmod(hash($by), $parts) = $part) AS $table")
    }

  private def rows(query: String): Map[Row, Int] =
    withConf(RunConf(colocate = false, adaptive = false).settings: _*) {
      sql(query).collect().groupMapReduce(identity)(_ => 1)(_ + _)
    }

  private def inParts(query: String, layout: Map[String, Seq[String]]): Map[Row, Int] =
    (0 until parts).map(part => rows(split(query, layout, part))).flatten
      .groupMapReduce(_._1)(_._2)(_ + _)

  /** A layout for each position, and one by all of them. */
  private def layouts(found: Partitionings): Seq[Map[String, Seq[String]]] = {
    val each = found.agreements.map(_.positions.map(_.fields.map { case (input, field) =>
    input.name -> Seq(field.text)
  }))
    val single = each.foldLeft(Seq(Map.empty[String, Seq[String]]))((chosen, positions) =>
      for (before <- chosen; position <- positions) yield before ++ position)
    val all = each.flatten.flatten.groupMap(_._1)(_._2.head)
    single.take(3) :+ all
  }

  test("the parts of random programs") {
    var compared = 0
    for (n <- 0 until Nightly.count(night = 200, day = 10)) {
      val query = new RandomPrograms(Dice.mix(11, n.toLong)).query()
      val found = analysed(query)
      if (found.possible) {
        lazy val whole = rows(query)
        for (layout <- layouts(found).distinct.take(Nightly.count(night = 4, day = 1))) {
          assert(inParts(query, layout) == whole, s"$query\n$layout")
          if (whole.nonEmpty) compared += 1
        }
      }
    }
    assert(compared >= 3)
  }

  // Operators that random programs have not. What a broadcast copies is whole everywhere.
  for (query <- Seq(
      "SELECT x.a, y.b FROM (SELECT * FROM t1) x JOIN (SELECT * FROM t2) y ON x.a <=> y.a",
      "SELECT k, count(*) FROM (SELECT coalesce(x.a, y.a) AS k FROM (SELECT * FROM t1) x FULL JOIN (SELECT * FROM t2) y ON x.a = y.a) GROUP BY k",
      "SELECT a, b FROM t1 INTERSECT SELECT a, b FROM t2",
      "SELECT a, b FROM t1 EXCEPT SELECT a, b FROM t2",
      "SELECT a, count(*), max(n) FROM (SELECT a, b % 3, count(*) AS n FROM t1 GROUP BY a, b % 3) GROUP BY a",
      "SELECT a, b, count(*) FROM t1 GROUP BY GROUPING SETS ((a, b), (a))",
      "SELECT a, count(DISTINCT b), count(DISTINCT c) FROM t1 GROUP BY a",
      "SELECT a, v, count(*) FROM (SELECT a, explode(array(b, c)) AS v FROM t1) GROUP BY a, v",
      "SELECT * FROM (SELECT *, rank() OVER (PARTITION BY a ORDER BY b, c) AS r FROM t1) WHERE r < 3",
      "SELECT a, count(*) FROM (SELECT * FROM t1) x WHERE EXISTS (SELECT 1 FROM (SELECT * FROM t2) y WHERE x.a = y.a) GROUP BY a",
      "SELECT x, count(*) FROM (SELECT double(a) * 0.0 AS x, a FROM t1) GROUP BY x, a",
      "SELECT /*+ BROADCAST(y) */ x.b, y.b, count(*) FROM (SELECT * FROM t1) x JOIN everywhere2 y ON x.a = y.a GROUP BY x.b, y.b",
      "SELECT /*+ BROADCAST(y) */ y.a, count(*) FROM (SELECT * FROM t1) x LEFT JOIN everywhere2 y ON x.a = y.a GROUP BY y.a, x.a"))
    test(s"the parts of $query") {
      sql("CREATE OR REPLACE TEMPORARY VIEW everywhere2 AS SELECT * FROM t2")
      val (found, whole) = (analysed(query), rows(query))
      assert(found.possible && found.agreements.nonEmpty && whole.nonEmpty)
      for (layout <- layouts(found).distinct) assert(inParts(query, layout) == whole, layout)
    }

  // What the published analysis takes for possible, or would by its rules, is not.
  for ((hole, query, table, field) <- Seq(("a: a self join on two fields",
      "SELECT x.a, y.b FROM (SELECT * FROM t1) x JOIN (SELECT * FROM t1) y ON x.a = y.b", "t1",
      "b"), ("c: DISTINCT after the field is dropped", "SELECT DISTINCT a FROM t1", "t1", "b"),
      ("e: an anti-join whose kept side is everywhere",
      "SELECT x.a FROM everywhere x LEFT ANTI JOIN (SELECT * FROM t2) y ON x.a = y.b", "t2", "b"),
      ("of what the key is a function of", "SELECT a % 3, count(*) FROM t1 GROUP BY a % 3", "t1",
      "a"),
      ("of a function of keys of two rows",
      "SELECT x.b, y.c, count(*) FROM (SELECT * FROM t1) x JOIN (SELECT * FROM t1) y ON x.b + x.c = y.b + y.c GROUP BY x.b, y.c",
      "t1", "(b + c)")))
    test(s"hole $hole has other rows in parts") {
      sql("CREATE OR REPLACE TEMPORARY VIEW everywhere AS SELECT * FROM t1")
      val forced = Map(s"spark_catalog.default.$table" -> Seq(field))
      assert(!analysed(query).serves(forced))
      assert(inParts(query, forced) != rows(query))
    }
}
