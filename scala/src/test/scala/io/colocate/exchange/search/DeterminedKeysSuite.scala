package io.colocate.exchange.search

import io.colocate.explain.view.QueryReport
import io.colocate.report.ExchangeReasons.{DeclaredKeys, DeclaredWithoutRely, DeterminedKeys}
import io.colocate.testing.{PlanKit, TestTables}

/** What explain() says of columns that determine where rows lie: by proof, as declared, and why not. */
class DeterminedKeysSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    TestTables.createDeclared(spark)
  }

  private def grouped(x: String) =
    s"SELECT x.d, count(*) AS n FROM t1 JOIN $x x ON t1.a = x.a GROUP BY x.d"

  test("what the query proves is not said to be declared") {
    planned(grouped("(SELECT d, max(a) AS a FROM t2 GROUP BY d)")).shuffles(4, 3)
      .expect(DeterminedKeys).expectNot(DeclaredKeys, DeclaredWithoutRely)
  }

  test("a declaration that a removal rests on is named, with its table and where it is kept") {
    val plan = planned(grouped("key_d")).shuffles(3, 2).expect(DeclaredKeys)
      .expectNot(DeterminedKeys, DeclaredWithoutRely)
    assert(
      QueryReport.of(plan.ours).findings.flatMap(_.reasons).map(_.sentence).contains(
        "rows that agree on (d) agree on (a), on which they are hashed: key (d) of" +
          " spark_catalog.default.key_d, table property"), plan.text)
  }

  test("one that nobody vouches for is named where it would have saved a shuffle, and only there") {
    planned(grouped("doubt_d")).shuffles(3, 3).expect(DeclaredWithoutRely).expectNot(DeclaredKeys)
    planned("SELECT x.b, count(*) AS n FROM t1 JOIN doubt_d x ON t1.a = x.a GROUP BY x.b")
      .shuffles(3, 3).expectNot(DeclaredWithoutRely)
    planned(grouped("doubt_d"), "spark.colocate.dependencies.check" -> "true").shuffles(3, 2)
      .expect(DeclaredKeys)
  }
}
