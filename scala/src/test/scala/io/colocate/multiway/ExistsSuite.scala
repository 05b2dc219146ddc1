package io.colocate.multiway

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.multiway.wcoj.Demand.{EachRow, NoRow, SomeRow}
import io.colocate.testing.EveryOther

/** EXISTS and NOT EXISTS above joins that form a cycle: part of the multiway join, or a join above it. */
class ExistsSuite extends MultiwaySession with EveryOther {

  /** Edges with duplicates and NULLs, and others to look for. */
  private def graph(): Unit = {
    def or(i: Int, null_ : Int, value: Int): Any = if (i % null_ == 0) "NULL" else value
    view("e", "src, dst, name",
      Seq.tabulate(150)(i => Seq(or(i, 31, i * 7 % 13), or(i, 29, i * i % 11), s"'$i'")))
    view("x", "src, dst, kind",
      Seq.tabulate(60)(i => Seq(or(i, 7, i * 5 % 13), or(i, 11, i * 3 % 11), s"'${i % 3}'")))
  }

  private def checks(query: DataFrame) = multiway(query).flatMap(_.demands)

  /** Spark's rows, with this many inputs that have to have a row, or to have none, within the join. */
  private def within(query: => DataFrame, exists: Int, none: Int): Unit = compare(query) { found =>
    val asked = checks(found)
    assert(asked.count(_ == SomeRow) == exists && asked.count(_ == NoRow) == none, planOf(found))
    assert(!asksAbove(found), planOf(found))
  }

  private def asksAbove(query: DataFrame): Boolean = collect(planOf(query)) {
    case join: BaseJoinExec if join.joinType == LeftAnti || join.joinType == LeftSemi => join
  }.nonEmpty

  /** Spark's rows, with a join above the multiway join. */
  private def above(query: => DataFrame): Unit = compare(query) { found =>
    assert(multiway(found).nonEmpty && checks(found).forall(_ == EachRow), planOf(found))
    assert(asksAbove(found), planOf(found))
  }

  private val back = "(SELECT * FROM x WHERE x.src = b.dst AND x.dst = a.src)"

  test("NOT EXISTS over variables of a cycle is looked up within the join") {
    graph()
    for (cells <- Seq("1g", "1b"))
      withConf(BroadcastBytes -> cells) {
        within(sql(s"SELECT a.src, b.dst, c.name $Triangle WHERE NOT EXISTS $back"), 0, 1)
        within(sql(s"SELECT count(*) $Triangle WHERE NOT EXISTS $back"), 0, 1)
      }
    within(sql(s"SELECT b.src, count(*) $Triangle WHERE NOT EXISTS $back GROUP BY b.src"), 0, 1)
    within(sql(s"SELECT a.src $Triangle WHERE a.src < b.dst AND NOT EXISTS $back"), 0, 1)
    within(sql(s"SELECT a.name, b.name $Triangle WHERE NOT EXISTS $back"), 0, 1)
  }

  test("EXISTS over variables of a cycle counts once, however many rows there are") {
    graph()
    for (cells <- Seq("1g", "1b"))
      withConf(BroadcastBytes -> cells) {
        within(sql(s"SELECT a.src, b.dst, c.name $Triangle WHERE EXISTS $back"), 1, 0)
        within(sql(s"SELECT count(*) $Triangle WHERE EXISTS $back"), 1, 0)
      }
    within(sql(s"SELECT a.name $Triangle WHERE (b.dst, a.src) IN (SELECT src, dst FROM x)"), 1, 0)
  }

  test("EXISTS closes a cycle of joins that have none; NOT EXISTS does not") {
    graph()
    val path = "FROM e a JOIN e b ON a.dst = b.src"
    within(sql(s"SELECT a.src, a.name, b.dst $path WHERE EXISTS $back"), 1, 0)
    within(sql(s"SELECT count(*) $path WHERE EXISTS $back"), 1, 0)
    compare(sql(s"SELECT count(*) $path WHERE NOT EXISTS $back")) { found =>
      assert(multiway(found).isEmpty && asksAbove(found))
    }
    // The rows of x cannot drive, nor stand for those of a or b.
    compare(sql(s"SELECT count(*) $path WHERE EXISTS $back")) { found =>
      assert(multiway(found).forall(_.demands.head == EachRow), planOf(found))
    }
  }

  test("several at once, some by three variables, by one, or by constants") {
    graph()
    within(
      sql(s"SELECT a.src, b.dst $Triangle WHERE NOT EXISTS $back AND EXISTS (SELECT 1 FROM x " +
        "WHERE x.src = a.src AND x.dst = b.dst AND kind = '1')"), 1, 1)
    within(
      sql(s"SELECT a.src, b.dst $Triangle WHERE NOT EXISTS $back AND NOT EXISTS (SELECT 1 " +
        "FROM x WHERE x.src = a.src AND x.dst = b.dst AND kind <> '1')"), 0, 2)
    view("y", "p, q, r", Seq.tabulate(40)(i => Seq[Any](i % 13, i * 3 % 11, i * 5 % 11)))
    within(sql(s"SELECT a.src, b.src, b.dst $Triangle WHERE NOT EXISTS " +
        "(SELECT 1 FROM y WHERE p = a.src AND q = b.src AND r = c.dst)"), 0, 1)
    // Two columns of y are one variable.
    within(sql(s"SELECT count(*) $Triangle WHERE NOT EXISTS " +
        "(SELECT 1 FROM y WHERE p = a.src AND q = c.src AND r = b.dst)"), 0, 1)
  }

  test("left semi and left anti joins of DataFrames, above and between inner joins") {
    graph()
    def e(name: String) = spark.table("e").as(name)
    def x = spark.table("x").as("x")
    val path = e("a").join(e("b"), $("a.dst") === $("b.src"))
    val asked = $("x.src") === $("b.dst") && $("x.dst") === $("a.src")
    val closing = $("b.dst") === $("c.dst") && $("a.src") === $("c.src")
    within(path.join(e("c"), closing).join(x, asked, "left_anti").select("a.name", "c.dst"), 0, 1)
    within(path.join(x, asked, "left_anti").join(e("c"), closing).groupBy().count(), 0, 1)
    within(path.join(x, asked, "left_semi").join(e("c"), closing).groupBy().count(), 1, 0)
  }

  private def $(name: String) = org.apache.spark.sql.functions.col(name)

  test("the rows of an input that is looked up too are broadcast once") {
    view("e", "src, dst", Seq.tabulate(150)(i => Seq[Any](i * 7 % 13, i * i % 11)))
    for (kind <- Seq("EXISTS", "NOT EXISTS"); adaptive <- Seq("true", "false"))
      withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> adaptive) {
        val found = sql(s"SELECT count(*) $Triangle WHERE $kind " +
          "(SELECT * FROM e x WHERE x.src = b.dst AND x.dst = a.src)")
        found.collect()
        val plan = planOf(found)
        assert(collect(plan) { case b: BroadcastExchangeExec => b }.length == 1, plan)
        assert(collect(plan) { case r: ReusedExchangeExec => r }.length == 2, plan)
      }
  }

  test("NOT IN, and what asks for more than equal variables, is left to a join above") {
    graph()
    above(sql(s"SELECT a.src $Triangle WHERE (b.dst, a.src) NOT IN (SELECT src, dst FROM x)"))
    view("n", "src, dst", Seq.tabulate(60)(i => Seq[Any](i * 5 % 13, i * 3 % 11)))
    above(sql(s"SELECT a.src $Triangle WHERE (b.dst, a.src) NOT IN (SELECT src, dst FROM n)"))
    for (more <- Seq("x.src = b.dst AND x.dst < a.src", "x.src = b.dst AND x.dst <=> a.src",
        "x.src = b.dst AND (x.dst = a.src OR x.dst = 1)", "x.src = b.dst AND x.kind = a.name",
        "x.src = b.dst AND x.dst = a.src + 1", "x.src = b.dst AND x.src = a.src"))
      compare(sql(s"SELECT a.src $Triangle WHERE NOT EXISTS (SELECT 1 FROM x WHERE $more)")) {
        found => assert(multiway(found).nonEmpty && checks(found).forall(_ == EachRow), found)
      }
  }

  test("keys of other types and widths, -0.0 and NaN") {
    val odd = Seq("0.0D", "-0.0D", "double('NaN')", "1.5D", "NULL")
    view("e", "src, dst", for (i <- 0 until 60) yield Seq(odd(i % 5), odd(i * i % 5)))
    for (x <- Seq(Seq("0.0D", "0.0D"), Seq("-0.0D", "double('NaN')"), Seq("NULL", "1.5D"))) {
      view("x", "src, dst", Seq(x, x))
      for (kind <- Seq("EXISTS", "NOT EXISTS"))
        compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE $kind $back"))
    }
    graph()
    sql("SELECT CAST(src AS BIGINT) AS src, CAST(dst AS SMALLINT) AS dst FROM x")
      .createOrReplaceTempView("x")
    for (kind <- Seq("EXISTS", "NOT EXISTS"))
      compareMultiway(sql(s"SELECT a.src, b.dst $Triangle WHERE $kind $back"))
  }

  test("nothing to look up, or nothing but NULL") {
    graph()
    for (none <- Seq("kind = 'z'", "src IS NULL", "dst IS NULL");
      kind <- Seq("EXISTS", "NOT EXISTS"))
      compare(
        sql(s"SELECT a.src $Triangle WHERE $kind (SELECT 1 FROM (SELECT * FROM x WHERE $none) x " +
          "WHERE x.src = b.dst AND x.dst = a.src)"))(_ => ())
  }

  test("an input larger than all others is looked up above, and that is said") {
    view("e", "src, dst", Seq.tabulate(30)(i => Seq[Any](i * 7 % 13, i * i % 11)))
    spark.range(5000).selectExpr("CAST(id % 13 AS INT) AS src", "CAST(id % 11 AS INT) AS dst")
      .createOrReplaceTempView("x")
    val query = s"SELECT count(*) $Triangle WHERE NOT EXISTS $back"
    above(sql(query))
    withConf(Mode -> "force") {
      assert(reports(sql(query)).flatMap(_.reasons.tail).map(_.code.name) == Seq("CHECKED_ABOVE"))
      val Seq(report) = reports(sql(s"SELECT count(*) $Triangle WHERE NOT EXISTS " +
          "(SELECT 1 FROM e x WHERE x.src = b.dst AND x.dst = a.src)"))
      assert(report.reasons.tail.isEmpty && report.text.contains(", no ") &&
          report.text.contains("(v2, v0)"), report.text)
    }
  }

  test("without a cycle, a hint or the mode the subquery stays where it was") {
    graph()
    val path = "FROM e a JOIN e b ON a.dst = b.src"
    val plans = for (mode <- Seq("off", "hint", "force")) yield withConf(Mode -> mode) {
      sql(s"SELECT count(*) $path WHERE NOT EXISTS $back").queryExecution.optimizedPlan
        .canonicalized.toString.replaceAll("#\\d+", "")
    }
    assert(plans.distinct.length == 1, plans.mkString("\n"))
  }
}
