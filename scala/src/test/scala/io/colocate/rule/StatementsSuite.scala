package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.CommandExecutionMode

import io.colocate.testing.{ColocateTestSession, Exchanges}

class StatementsSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t (a INT, n BIGINT) USING parquet")
  }

  private def hasQuery(text: String): Boolean = {
    val parsed = spark.sessionState.sqlParser.parsePlan(text)
    Statements.hasQuery(spark.sessionState.executePlan(parsed, CommandExecutionMode.SKIP).analyzed)
  }

  private val insert =
    "INSERT INTO t SELECT a, max(c) FROM (SELECT a, n, count(*) AS c FROM t GROUP BY a, n) GROUP BY a"

  test("a statement that reads rows has a query, and its shuffles are planned") {
    for (text <- Seq("SELECT 1", "SELECT a FROM t", insert, "INSERT INTO t VALUES (1, 2)"))
      assert(hasQuery(text), text)
    withConf("spark.sql.adaptive.enabled" -> "false") {
      def shuffles(): Int = {
        val parsed = spark.sessionState.sqlParser.parsePlan(insert)
        val plan = spark.sessionState.executePlan(parsed, CommandExecutionMode.SKIP).executedPlan
        Exchanges.count(plan)
      }
      assert(shuffles() == 1)
      withConf("spark.colocate.enabled" -> "false")(assert(shuffles() == 2))
    }
  }

  test("a statement about settings and names has none") {
    for (text <- Seq("SET spark.sql.ansi.enabled=true", "RESET", "SHOW TABLES", "SHOW DATABASES",
        "USE default", "DESCRIBE TABLE t", "DROP TABLE IF EXISTS u"))
      assert(!hasQuery(text), text)
  }
}
