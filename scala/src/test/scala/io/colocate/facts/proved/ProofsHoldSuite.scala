package io.colocate.facts.proved

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId}
import org.apache.spark.sql.execution.{InputAdapter, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec}

import io.colocate.testing.{ColocateTestSession, EveryThird}

/** What is proved of a plan holds of the rows that it gives, NULL among them. */
class ProofsHoldSuite extends AnyFunSuite with ColocateTestSession with EveryThird {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE l USING parquet AS SELECT * FROM VALUES (1, 1, 1), (1, 1, 2), (2, 2, 1), " +
      "(2, 3, NULL), (3, NULL, 1), (NULL, NULL, 2), (NULL, 1, 1) AS t(a, b, c)")
    sql("CREATE TABLE r USING parquet AS SELECT * FROM VALUES (1, 1, 5), (2, 3, 5), (2, 2, 6), " +
      "(4, 4, 7), (NULL, 1, 7), (NULL, NULL, 5), (5, 1, 1) AS t(x, y, z)")
    // One of the groups is NULL.
    sql("CREATE TEMP VIEW gl AS SELECT a, 1 AS one, a AS copy, max(b) AS b FROM l GROUP BY a")
    sql("CREATE TEMP VIEW gr AS SELECT x, 2 AS two, x AS same, max(z) AS z FROM r GROUP BY x")
  }

  private val joins = for {
    (join, keys) <- Seq("JOIN" -> 2, "LEFT JOIN" -> 2, "RIGHT JOIN" -> 2, "FULL JOIN" -> 2,
      "LEFT SEMI JOIN" -> 1, "LEFT ANTI JOIN" -> 1)
    (on, fewer) <- Seq("a = x" -> 0, "a = z" -> 1, "b = x" -> 1)
  } yield (s"SELECT * FROM gl $join gr ON $on", if (keys == 1) 1 else keys - fewer)

  private val others = Seq("SELECT * FROM gl" -> 1,
    "SELECT a, copy FROM gl WHERE one = 1 AND b = a" -> 1,
    "SELECT * FROM l WHERE a = b AND c = 1" -> 0,
    "SELECT * FROM gl UNION ALL SELECT * FROM gl" -> 0,
    "SELECT * FROM gl LATERAL VIEW OUTER explode(array(1, 2)) AS e" -> 0,
    "SELECT a, b, 1 AS one FROM l GROUP BY GROUPING SETS ((a), (a, b), ())" -> 0,
    "SELECT a, count(DISTINCT b), sum(DISTINCT c) FROM l GROUP BY a" -> 1,
    "SELECT DISTINCT b FROM l" -> 1, "SELECT count(*) AS n, 1 AS one FROM l" -> 0,
    "SELECT *, row_number() OVER (PARTITION BY one ORDER BY a) AS n FROM gl" -> 1,
    "SELECT a, b, c FROM (SELECT *, row_number() OVER (PARTITION BY a ORDER BY c) AS n FROM l) " +
      "WHERE n = 1" -> 1,
    "SELECT a, b, c FROM (SELECT *, rank() OVER (PARTITION BY a ORDER BY 1) AS n FROM l) " +
      "WHERE n = 1" -> 0, "SELECT a + b AS s, a, b, c FROM l" -> 0,
    "SELECT e, f FROM (SELECT a AS e, c AS f, row_number() OVER (PARTITION BY a ORDER BY c) AS n " +
      "FROM l) WHERE n = 1" -> 1, "SELECT x, b FROM gl JOIN gr ON a = x" -> 1,
    "SELECT z, b FROM gl JOIN gr ON a = x" -> 0, "SELECT * FROM l JOIN gr ON c = x" -> 0,
    "SELECT * FROM l LEFT JOIN gr ON c = x" -> 0,
    "SELECT * FROM l FULL JOIN (SELECT z, max(x) AS m FROM r GROUP BY z) ON c = z" -> 0,
    "SELECT * FROM l LEFT JOIN (SELECT coalesce(z, 0) AS d, max(x) AS m FROM r GROUP BY 1) " +
      "ON c = d" -> 0, "SELECT * FROM gl ORDER BY a LIMIT 2" -> 1,
    "SELECT a FROM l INTERSECT SELECT x FROM r" -> 1,
    "SELECT * FROM gl WHERE EXISTS (SELECT 1 FROM r WHERE x = a) OR b = 1" -> 1,
    "SELECT *, (SELECT max(z) FROM r WHERE x = a) AS m FROM gl" -> 1,
    "SELECT * FROM (SELECT * FROM gl LEFT JOIN gr ON a = x) LEFT JOIN gl g ON x = g.a" -> 3,
    "SELECT * FROM (SELECT * FROM gl FULL JOIN gr ON a = x) JOIN gl g ON x = g.a" -> 3)

  for ((query, keys) <- joins ++ others; broadcast <- Seq("-1", "10m"))
    test(s"$query, broadcast up to $broadcast") {
      withConf("spark.sql.adaptive.enabled" -> "false",
        "spark.sql.autoBroadcastJoinThreshold" -> broadcast) {
        val frame = sql(query)
        val plan = frame.queryExecution.executedPlan
        val proofs = new Proofs
        assert(keysOf(proofs(plan), plan.output) == keys, plan)
        val parts = plan.collect {
          case part if proofs(part) != ProvedFacts.Nothing && mayRun(part) => part
        }
        assert(parts.nonEmpty, plan)
        parts.foreach(part => hold(proofs(part), part))
      }
    }

  /** What is broadcast cannot be asked for its rows; generated code gives those of the operator below. */
  private def mayRun(part: SparkPlan): Boolean = part match {
    case _: Exchange | _: ReusedExchangeExec | _: WholeStageCodegenExec | _: InputAdapter => false
    case _ => true
  }

  private def keysOf(facts: ProvedFacts, output: Seq[Attribute]): Int =
    facts.keys.map(_.columns).distinct.count(_.subsetOf(output.map(_.exprId).toSet))

  private def hold(facts: ProvedFacts, part: SparkPlan): Unit = {
    val rows = part.executeCollectPublic().toSeq
    def values(ids: Iterable[ExprId])(row: Row) =
      ids.toSeq.map(id => row.get(part.output.indexWhere(_.exprId == id)))
    def within(ids: Set[ExprId]) = ids.intersect(part.output.map(_.exprId).toSet)
    within(facts.constants).foreach { id =>
      val found = rows.map(values(Seq(id))).distinct
      assert(found.length <= 1 && !found.flatten.contains(null), part)
    }
    for (ids <- facts.equal; row <- rows)
      assert(values(within(ids))(row).distinct.length <= 1, part)
    for (dependency <- facts.dependencies if within(dependency.of) == dependency.of) {
      val determined = within(dependency.determined).toSeq
      val found = rows.map(row => values(dependency.of)(row) -> values(determined)(row)).distinct
      assert(found.map(_._1).distinct.length == found.length, part)
    }
    for (key <- facts.keys if within(key.columns) == key.columns) {
      val found = rows.map(values(key.columns)).filter(key.strict || !_.contains(null))
      assert(found.distinct.length == found.length, part)
    }
  }
}
