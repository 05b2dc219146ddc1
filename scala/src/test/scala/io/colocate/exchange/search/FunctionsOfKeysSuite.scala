package io.colocate.exchange.search

import org.apache.spark.sql.Row

import io.colocate.report.ExchangeReasons
import io.colocate.testing.{PlanKit, TestTables}

/** Where rows may be hashed on a function of the keys, and where it would be computed too early. */
class FunctionsOfKeysSuite extends PlanKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def groupedBy(function: String, groups: String): String =
    s"SELECT $function AS f, sum(n) AS n FROM ($groups) GROUP BY $function"

  private val groups = "SELECT k, count(*) AS n FROM t1 GROUP BY k"

  private val someGroups = s"$groups HAVING count(*) > 1"

  test("a function that may fail is hashed below a grouping that each value reaches") {
    planned(groupedBy("k + 1", groups)).shuffles(2, 1).expect(ExchangeReasons.FunctionOfKeys)
  }

  test("not where a filter drops groups before Spark alone would compute it") {
    planned(groupedBy("k + 1", someGroups)).shuffles(2, 2)
      .expectNot(ExchangeReasons.FunctionOfKeys)
    planned(groupedBy("k & 7", someGroups)).shuffles(2, 1).expect(ExchangeReasons.FunctionOfKeys)
  }

  test("so a value that has no successor fails no query that drops it") {
    val most = "SELECT k, count(*) AS n FROM VALUES (9223372036854775807), (1L), (1L) AS t(k) " +
      "GROUP BY k HAVING count(*) > 1"
    assert(sql(groupedBy("k + 1", most)).collect().toSeq == Seq(Row(2L, 2L)))
  }

  test("a join on a function is hashed on it for a grouping by its column") {
    val joined = "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a + 1 = t2.a"
    planned(s"$joined GROUP BY t1.a").shuffles(3, 2).expect(ExchangeReasons.FunctionOfKeys)
    planned(s"$joined GROUP BY t1.a, t1.b").shuffles(3, 2)
    planned("SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a + t1.b = t2.a GROUP BY t1.a")
      .shuffles(3, 3)
  }

  test("a function with fewer values than its column needs evidence, as fewer keys do") {
    val query = groupedBy("k & 7", groups)
    planned(query).expectEvidence(ExchangeReasons.SmallEdge)
    planned(query, "spark.colocate.exchange.mode" -> "off").shuffles(2, 2)
      .expect(ExchangeReasons.SubsetOff)
  }
}
