package io.colocate.exchange

import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanHelper, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.exchange.partitioning.{HashPartitionings, PartitioningStub}
import io.colocate.testing.FourRuns

/** Joins in a row on one key, planned anew by adaptive execution: what lies as chosen is not shuffled again. */
class ReplayChainSuite extends FourRuns with AdaptiveSparkPlanHelper {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE big USING parquet AS SELECT id % 1000 AS a, id % 777 AS b, id AS p FROM " +
      "range(0, 40000, 1, 3)")
    sql(
      "CREATE TABLE small USING parquet AS SELECT id % 29 AS a, id % 13 AS b, id FROM range(0, 700)")
  }

  private def small(filter: String) =
    s"(SELECT a, b, count(*) AS n FROM small WHERE $filter GROUP BY a, b)"

  private val chain =
    "SELECT g.a, count(*) AS n, max(g.p) AS p, sum(x.n) + sum(y.n) AS s FROM big g " +
      s"LEFT JOIN ${small("true")} x ON g.a = x.a AND g.b = x.b " +
      s"LEFT JOIN ${small("id > 3")} y ON g.a = y.a AND g.b = y.b GROUP BY g.a"

  private val beside =
    " UNION ALL SELECT m, count(*), 0, 0 FROM (SELECT b, max(a) AS m FROM small " +
      "GROUP BY b) GROUP BY m"

  private val settings =
    Seq("spark.sql.autoBroadcastJoinThreshold" -> "-1", "spark.colocate.exchange.gather" -> "true")

  for ((name, query) <- Seq("alone" -> chain, "beside small rows" -> (chain + beside)))
    test(s"two joins and a group by, $name") {
      val runs = fourSql(query, settings: _*)
      assertSomeRows(runs)
      val plan = runs.oursAdaptive.plan.get
      val again = collect(plan) {
        case stage: ShuffleQueryStageExec if liesSo(stage.shuffle) => stage
      }
      assert(again.isEmpty, planText(runs.oursAdaptive))
      assert(runs.oursAdaptive.shuffles < runs.stockAdaptive.shuffles)
    }

  /** True of a shuffle on keys that its rows were hashed on before, however many partitions are read as one. */
  private def liesSo(shuffle: ShuffleExchangeLike): Boolean =
    HashPartitionings.hashes(shuffle.outputPartitioning).exists(h =>
      HashPartitionings.hashes(PartitioningStub.partitioningOf(shuffle.child)).exists(l =>
        HashPartitionings.sameKeys(l.keys, h.keys)))
}
