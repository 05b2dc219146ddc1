package io.colocate.exchange.search

import io.colocate.explain.view.{QueryReport, ReportText}
import io.colocate.report.{Finding, ReasonCode}
import io.colocate.report.ExchangeReasons.{ExpandedKeys, MergedPartitions, OuterKey, PartitionId}
import io.colocate.testing.{PlanKit, Planned, TestTables}

/** What explain() says of each shuffle that is not there: the facts that it rests on, and no others. */
class RemovedShufflesSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def removed(plan: Planned): Seq[Finding] =
    QueryReport.of(plan.ours).taken.filter(_.what == "removed")

  /** The facts of the one removed shuffle on these keys. */
  private def facts(plan: Planned, about: String*): Set[ReasonCode] =
    removed(plan).filter(_.about == about) match {
      case Seq(one) => one.reasons.map(_.code).toSet
      case other => fail(s"$other\n${plan.text}")
    }

  private val sets =
    """SELECT t1.a, t1.b, t1.c, count(*) AS n, max(t2.d) AS m
      |FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY GROUPING SETS ((t1.a, t1.b), (t1.a, t1.c))
      |""".stripMargin

  private val merged =
    """SELECT a, count(*) AS n, max(d) AS m
      |FROM (SELECT /*+ COALESCE(3) */ t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a) GROUP BY a
      |""".stripMargin

  /** The rows are shuffled once more, and the shuffle that is saved above that has nothing to do with them. */
  private def shuffledAgain(rows: String): Planned = planned(
    s"SELECT g.n, count(*) AS c FROM ($rows) g JOIN t3 ON g.n = t3.k AND g.m = t3.d GROUP BY g.n")

  test("grouping sets are named where the rows lie by what all of them keep") {
    val plan = planned(sets).shuffles(3, 2)
    assert(facts(plan, "a", "b", "c", "spark_grouping_id")(ExpandedKeys), plan.text)
  }

  test("they are not named above a shuffle of their groups by other columns") {
    val plan = shuffledAgain(sets).shuffles(6, 4)
    assert(facts(plan, "a", "b", "c", "spark_grouping_id")(ExpandedKeys), plan.text)
    assert(!facts(plan, "n")(ExpandedKeys), plan.text)
  }

  test("they are named where a column is renamed above them") {
    val plan = planned(s"SELECT e, sum(n) AS n FROM (SELECT a AS e, n FROM ($sets)) GROUP BY e")
    assert(facts(plan, "e")(ExpandedKeys), plan.text)
  }

  test("a number of the partition is named, and no hash, where the rows are together by it") {
    val rows = "SELECT spark_partition_id() AS p, a FROM t1"
    val plan = planned(s"SELECT p, a, count(*) AS n FROM ($rows) GROUP BY p, a").shuffles(1, 0)
    assert(facts(plan, "p", "a") == Set(PartitionId), plan.text)
  }

  test("rows that know their partition are shuffled by other columns") {
    val rows = "SELECT spark_partition_id() AS p, a, b FROM t1"
    val plan =
      planned(s"SELECT a, b, max(p) AS p FROM ($rows) GROUP BY a, b").shuffles(1, 1)
    assert(removed(plan).isEmpty, plan.text)
  }

  test("merged partitions are named where the rows are together in them") {
    assert(facts(planned(merged).shuffles(3, 2), "a")(MergedPartitions))
  }

  test("they are not named above a shuffle of the rows by other columns") {
    val plan = shuffledAgain(merged).shuffles(6, 4)
    assert(facts(plan, "a")(MergedPartitions), plan.text)
    assert(!facts(plan, "n")(MergedPartitions), plan.text)
  }

  test("they are not named for the other side of a join with them") {
    val plan = planned(s"""SELECT t3.k, count(*) AS c FROM t3 JOIN t4 ON t3.k = t4.k AND t3.a = t4.a
        |JOIN ($merged) g ON t3.k = g.n GROUP BY t3.k""".stripMargin)
    assert(removed(plan).count(_.reasons.exists(_.code == MergedPartitions)) == 1, plan.text)
  }

  test("each shuffle that a chain of full outer joins saves has a line, with the fact") {
    val plan = planned("""SELECT a, t1.d AS d1, t2.d AS d2, t3.d AS d3, t4.d AS d4
        |FROM t1 FULL OUTER JOIN t2 USING (a) FULL OUTER JOIN t3 USING (a)
        |FULL OUTER JOIN t4 USING (a)""".stripMargin).shuffles(6, 4)
    assert(removed(plan).length == 2, plan.text)
    assert(removed(plan).forall(_.reasons.exists(_.code == OuterKey)), plan.text)
    val lines = ReportText.reasons(QueryReport.of(plan.ours)).filter(_.startsWith("removed: "))
    assert(lines.length == 2, plan.text)
  }

  test("a shuffle that two parts share, and that both save, has one line") {
    val plan = planned("""WITH x AS (SELECT a, sum(n) AS n FROM (
        |  SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a)
        |SELECT x.n, y.n AS m FROM x JOIN x y ON x.a = y.a""".stripMargin)
    assert(removed(plan).count(_.about == Seq("a")) == 1, plan.text)
  }
}
