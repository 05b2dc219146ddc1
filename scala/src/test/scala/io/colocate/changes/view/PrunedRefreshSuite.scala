package io.colocate.changes.view

import org.apache.spark.sql.execution.FileSourceScanExec

import io.colocate.changes.differentiate.{Differentiate, TopByKey}
import io.colocate.rule.ColocateConf
import io.colocate.tables.format.SourceVersion

/** A small change of a large source reads the files that may hold its keys. */
class PrunedRefreshSuite extends ViewTestSession {

  private val ByKey = "SELECT k, count(*) AS n, sum(v) AS total FROM pruned GROUP BY k"

  /** How many files the change from the last version but one reads, and how many there are. */
  private def filesRead(query: String): (Long, Int) = {
    val path = sql("SELECT path FROM colocate_table_path('pruned')").head().getString(0)
    val newest = log(path).snapshot()
    def at(version: Long) =
      Map(log(path).path.toString -> SourceVersion(newest.metadata.created.toString, version))
    val definition = Definition(spark, query, ViewSession.settings(spark))
    val own = definition.session
    val read = own.withActive {
      val states = new Sources.Between(own, at(newest.version - 1), at(newest.version))
      val by = new Differentiate(states, FewKeys(own))
      val plan = definition.plan
      val local = TopByKey.of(plan).get.local
      val changed =
        own.sessionState.executePlan(by.restricted(local, by.now, by.touched(local).get))
      changed.executedPlan.executeCollect()
      collectWithSubqueries(changed.executedPlan) { case scan: FileSourceScanExec =>
        scan.metrics("numFiles").value
      }.sum
    }
    (read, newest.files.length)
  }

  private def withPruned(body: => Unit): Unit = withTables("pruned") {
    sql(
      "CREATE TABLE pruned (k LONG, v LONG) USING colocate OPTIONS (joinKey 'k', maxLeafRows 100)")
    spark.range(4000).selectExpr("id AS k", "id % 7 AS v").write.insertInto("pruned")
    sql("INSERT INTO pruned VALUES (17, 1), (18, 2)")
    body
  }

  test("keys that lie together let all other files be") {
    withPruned {
      val (read, all) = filesRead(ByKey)
      assert(read > 0 && read <= all / 5, s"$read of $all")
    }
  }

  test("without pruning all files are read") {
    withPruned {
      withConf(ColocateConf.LayoutEnabled.key -> "false") {
        val (read, all) = filesRead(ByKey)
        assert(read == all)
      }
    }
  }

  test("files with NULL are read, as NULL may be a key") {
    withPruned {
      sql("INSERT INTO pruned VALUES (NULL, 1), (5, NULL)")
      val (read, all) = filesRead(ByKey)
      assert(read > 0 && read <= all / 5, s"$read of $all")
      sql(s"CREATE MATERIALIZED VIEW pruned_view USING colocate AS $ByKey")
      sql("INSERT INTO pruned VALUES (NULL, 2)")
      assert(sql("CALL colocate.refresh('pruned_view')").head().getString(0) == "incremental")
      assert(sql("CALL colocate.check_view('pruned_view')").collect().isEmpty)
      sql("DROP TABLE pruned_view")
    }
  }
}
