package io.colocate.testing

/** What a test of plans is told when it fails. */
class PlanKitSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def told(query: String): Seq[String] =
    planned(query).text.linesIterator.map(_.replaceAll("#\\d+L?", "").trim).toSeq

  test("what is proved of each operator") {
    val lines = told("SELECT a, max(b) AS m FROM t1 WHERE c = 3 GROUP BY a")
    for (line <- Seq("HashAggregate: key a; a -> m", "Filter: c is constant"))
      assert(lines.count(_ == line) == 1, lines.mkString("\n"))
    val joined = told("SELECT t1.a, t2.b FROM t1 JOIN t2 ON t1.b = t2.b")
    assert(joined.exists(_.matches("SortMergeJoin: .*b = b.*")), joined.mkString("\n"))
  }

  test("nothing of operators of which nothing is proved") {
    val lines = told("SELECT a FROM t1 UNION ALL SELECT max(a) FROM t2 GROUP BY b")
    assert(lines.filter(_.startsWith("Union")).last == "Union", lines.mkString("\n"))
  }
}
