package io.colocate.multiway

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.FilterExec

import io.colocate.multiway.graph.MultiwayJoin
import io.colocate.testing.{EveryOther, Outcome}

/** The rows of multiway joins: those of Spark alone. */
class MultiwayRowsSuite extends MultiwaySession with EveryOther {

  test("triangles, with duplicate edges, listed and counted") {
    view("e", "src, dst", randomEdges(300, 30))
    compareMultiway(sql(s"SELECT a.src, a.dst, c.dst AS third $Triangle"))
    compareMultiway(sql(s"SELECT b.dst $Triangle"))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    compareMultiway(sql(s"SELECT b.src, count(*) + 1, count(1) $Triangle GROUP BY b.src"))
    compareMultiway(sql(s"SELECT DISTINCT b.dst $Triangle"))
    compareMultiway(sql(s"SELECT b.dst, sum(a.src), max(c.src) $Triangle GROUP BY b.dst"))
  }

  test("counts are those of the join, with no rows too") {
    view("e", "src, dst", Seq(Seq(1, 2), Seq(2, 3)))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    compareMultiway(sql(s"SELECT a.src, count(*) $Triangle GROUP BY a.src"))
    compareMultiway(sql(s"SELECT count(*) $Triangle HAVING count(*) > 0"))
    view("e", "src, dst", Seq(Seq(1, 1), Seq(1, 1), Seq(1, 1)))
    compareMultiway(sql(s"SELECT count(*) $Triangle"))
    assert(withConf(Mode -> "force")(sql(s"SELECT count(*) $Triangle").head().getLong(0)) == 27)
  }

  test("comparisons of variables, and conditions over several inputs") {
    view("e", "src, dst", randomEdges(300, 30))
    compareMultiway(sql(s"SELECT count(*) $Triangle WHERE a.src < a.dst AND b.src < b.dst"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE b.dst >= a.src"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE b.dst + a.src > b.src * 2"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE a.src = 3 OR b.dst = 4"))
    compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE a.src = 3"))
    withConf(Mode -> "force") {
      val found = sql(s"SELECT 1 $Triangle WHERE a.src < a.dst AND a.dst < b.dst")
      assert(multiway(found).head.comparisons.nonEmpty)
    }
  }

  private val Square = "FROM e a JOIN e b ON a.dst = b.src JOIN e c ON b.dst = c.dst " +
    "JOIN e d ON d.dst = c.src AND d.src = a.src"

  /** Spark's rows, with so many comparisons in the join, and those that are left in filters above. */
  private def compared(query: String, within: Int, above: Int): Unit = {
    compareMultiway(sql(query))
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(query)
      val (plan, join) = (planOf(found), multiway(found).head)
      val filters = plan.collect { case f: FilterExec if f.exists(_ eq join) => f }
      assert(join.comparisons.length == within && filters.length == above, plan)
    }
  }

  test(
    "BETWEEN and <> of variables are part of the join, listed and counted; of other columns not") {
    view("e", "src, dst, at",
      randomEdges(150, 12).zipWithIndex.map { case (e, i) => e :+ i * 37 % 150 })
    for (list <- Seq("a.src, b.dst, d.dst", "count(*)")) {
      // Of these two one is about the columns of one input, which it is pushed to.
      compared(s"SELECT $list $Square WHERE b.dst BETWEEN a.src AND b.src", 1, 0)
      compared(s"SELECT $list $Square WHERE a.src <= b.dst AND c.src >= a.dst", 2, 0)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst AND a.dst <> c.src", 2, 0)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst AND a.dst < c.src", 2, 0)
      compared(s"SELECT $list $Square WHERE a.at < b.at AND a.src <> b.dst", 1, 1)
      compared(s"SELECT $list $Square WHERE a.src <> b.dst + 1", 0, 1)
    }
    withConf(BroadcastBytes -> "1b") {
      compared(s"SELECT a.src, count(*) $Square WHERE a.src <> b.dst GROUP BY a.src", 1, 0)
    }
    val odd = Seq("0.0D", "-0.0D", "double('NaN')", "1.5D", "NULL")
    view("e", "src, dst", for (i <- 0 until 40) yield Seq(odd(i % 5), odd(i * i % 5)))
    compared(s"SELECT a.src, b.dst $Square WHERE a.src <> b.dst", 1, 0)
  }

  /** Spark's rows, with such a condition in the join; none where it is left in a filter above. */
  private def computed(query: String, within: Option[String]): Unit = {
    compareMultiway(sql(query))
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(query)
      val (plan, join) = (planOf(found), multiway(found).head)
      val filters = plan.collect { case f: FilterExec if f.exists(_ eq join) => f }
      assert(join.conditions.map(_.toString) == within.toSeq, plan)
      assert(filters.isEmpty == within.nonEmpty, plan)
    }
  }

  test("functions of variables that never fail are part of the join, others are not") {
    view("e", "src, dst, at",
      randomEdges(150, 12).zipWithIndex.map { case (e, i) => e :+ i * 37 % 150 })
    for (list <- Seq("a.src, b.dst, d.dst", "count(*)"); most <- Seq("1g", "1b"))
      withConf(BroadcastBytes -> most) {
        def on(condition: String, within: Option[String]): Unit =
          computed(s"SELECT $list $Square WHERE $condition", within)
        on("b.dst = greatest(a.src, a.dst)", Some("(v1 = greatest(v3, v0))"))
        on("try_add(a.src, b.dst) = c.src", Some("((v3 + v1) = v2)"))
        on("a.src < b.dst OR a.src = c.src", Some("((v3 < v1) OR (v3 = v2))"))
        on("a.src + b.dst = c.src", None)
        on("greatest(a.src, b.at) = c.src", None)
      }
    withConf("spark.sql.ansi.enabled" -> "false") {
      computed(s"SELECT count(*) $Square WHERE (a.src + b.dst) % 3 = 0",
        Some("(((v3 + v1) % 3) = 0)"))
    }
    view("e", "src, dst", randomEdges(150, 12).map(_.map(i => s"'k$i'")))
    computed(s"SELECT a.src, b.dst $Square WHERE startswith(b.dst, a.src)",
      Some("startswith(v1, v3)"))
    view("e", "src, dst", randomEdges(80, 6).map(_.map(i => s"double($i)")))
    computed(s"SELECT a.src, b.dst $Square WHERE b.dst = greatest(a.src, a.dst)", None)
  }

  test(
    "joins of two inputs each, which stand in where the join cannot be planned, give the same rows") {
    view("e", "src, dst", randomEdges(150, 12))
    for (where <- Seq("a.src < b.dst", "a.src <> b.dst", "b.dst = greatest(a.src, a.dst)",
        "NOT EXISTS (SELECT 1 FROM e x WHERE x.src = a.src AND x.dst = b.dst)",
        "EXISTS (SELECT 1 FROM e x WHERE x.src = a.src AND x.dst = b.dst)")) {
      val query = s"SELECT a.src, b.dst, d.dst $Square WHERE $where"
      val optimized = withConf(Mode -> "force") {
        sql(query).asInstanceOf[Dataset[_]].queryExecution.optimizedPlan
      }
      assert(optimized.exists(_.isInstanceOf[MultiwayJoin]))
      val standIn = optimized.transform { case join: MultiwayJoin => join.binary }
      withConf(Mode -> "off") {
        val rows = spark.sessionState.executePlan(standIn).executedPlan.executeCollectPublic()
        val different = Outcome.difference(Outcome(sql(query).collect().toSeq), Outcome(rows.toSeq))
        assert(different.isEmpty && rows.nonEmpty, different.mkString)
      }
    }
  }

  /** What is done to a number to make a key of each type. */
  test("shapes: diamonds, cliques, bow-ties, and ears that hang on a cycle") {
    view("e", "src, dst", randomEdges(120, 14))
    val e = "FROM e a, e b, e c, e d"
    compareMultiway(sql(s"""SELECT a.src, d.dst, count(*) $e
      WHERE a.src = b.src AND a.dst = c.src AND b.dst = d.src AND c.dst = d.dst GROUP BY 1, 2"""))
    compareMultiway(sql(s"""SELECT a.src, b.dst, d.dst $e, e f WHERE a.src = b.src AND a.dst = c.src
      AND b.dst = c.dst AND c.src = d.src AND c.dst = f.src AND d.dst = f.dst"""))
    compareMultiway(sql(s"SELECT a.src, d.dst $Triangle JOIN e d ON d.src = b.dst"))
    compareMultiway(
      sql(s"SELECT count(*) $Triangle JOIN e d ON d.src = a.src JOIN e f ON f.src = d.dst"))
    compareMultiway(sql(s"""SELECT a.src, d.dst, f.dst $Triangle JOIN e d ON d.src = a.src
      JOIN e f ON d.dst = f.src JOIN e g ON f.dst = g.dst AND d.src = g.src"""))
    view("r", "x, y, z",
      randomEdges(60, 5).zip(randomEdges(60, 5, 3)).map { case (a, b) => a :+ b.head })
    compareMultiway(sql("""SELECT r1.x, r1.y, r1.z, r2.z AS w FROM r r1, r r2, r r3, r r4
      WHERE r1.y = r2.x AND r1.z = r2.y AND r2.y = r3.x AND r2.z = r3.y AND r3.z = r1.x
      AND r4.x = r2.z AND r4.y = r1.x AND r4.z = r1.y"""))
  }

  test("empty inputs, inputs that are aggregates or outer joins, subqueries, unions") {
    view("e", "src, dst", randomEdges(150, 15))
    compareMultiway(sql("""SELECT a.src, b.n, c.dst FROM e a
      JOIN (SELECT src, dst, count(*) AS n FROM e GROUP BY src, dst) b ON a.dst = b.src
      JOIN (SELECT x.src, y.dst FROM e x LEFT JOIN e y ON x.dst = y.src) c
        ON b.dst = c.dst AND a.src = c.src"""))
    compareMultiway(sql(s"SELECT * FROM e WHERE src IN (SELECT b.dst $Triangle)"))
    compareMultiway(sql(s"SELECT a.src $Triangle UNION ALL SELECT b.dst $Triangle"), joins = 2)
    compareMultiway(sql(s"SELECT src, (SELECT count(*) $Triangle) FROM e"))
    compare(sql("""SELECT a.src FROM e a JOIN e b ON a.dst = b.src
      JOIN (SELECT * FROM e WHERE src > 100) c ON b.dst = c.dst AND a.src = c.src"""))(_ => ())
  }
}
