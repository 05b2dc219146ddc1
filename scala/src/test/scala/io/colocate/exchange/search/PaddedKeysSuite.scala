package io.colocate.exchange.search

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.ProjectExec

import io.colocate.claims.declared.{CheckedTables, DependencyViolated}
import io.colocate.facts.expressions.PaddedColumn
import io.colocate.report.ReasonCode
import io.colocate.report.ExchangeReasons.{CarriedKey, DeclaredKeys}
import io.colocate.testing.{FourRuns, Reports, TestTables}

/** What is declared of a CHAR column holds of it as it is read, which is with blanks up to its length. */
class PaddedKeysSuite extends FourRuns {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    sql("""CREATE OR REPLACE TEMP VIEW known AS
        |SELECT d, max(a) AS a, max(b) AS b FROM t2 WHERE d IS NOT NULL GROUP BY d""".stripMargin)
    create("char_d", """[{"key": ["d"], "rely": true}]""")
    sql("INSERT INTO char_d SELECT CAST(d AS STRING), a, CAST(b AS STRING) FROM known")
    create("char_b", """[{"columns": ["d"], "determine": ["b"], "rely": true}]""")
    sql("INSERT INTO char_b SELECT * FROM char_d UNION ALL SELECT * FROM char_d")
    // The blanks are not in the files.
    val path = scratch("blanks")
    sql("SELECT * FROM VALUES ('k', 1, 'x'), ('k ', 2, 'x'), ('m', 1, 'y') AS t(d, a, b)")
      .write.parquet(path)
    create("blanks", """[{"key": ["d"], "rely": true}]""", s"LOCATION '$path'")
  }

  private def create(name: String, declared: String, where: String = ""): Unit =
    sql(s"""CREATE TABLE $name (d CHAR(8), a INT, b CHAR(4)) USING parquet $where
        |TBLPROPERTIES ('colocate.dependencies' = '$declared')""".stripMargin)

  private def assertServed(query: String, stock: Int, ours: Int): Unit = {
    val runs = fourSql(query)
    assertShuffles(runs, stock, ours)
    for (run <- runs.own) {
      assert(nodes(run) { case p: ProjectExec => p }.exists(_.projectList.exists(_.exists {
      case PaddedColumn(_) => true
      case _ => false
    })), planText(run))
      assert(Reports.reasons(run).exists(Set[ReasonCode](DeclaredKeys, CarriedKey)), planText(run))
    }
  }

  test("a key determines the other columns") {
    assertServed("SELECT x.d, count(*) AS n FROM t1 JOIN char_d x ON t1.a = x.a GROUP BY x.d",
      stock = 3, ours = 2)
  }

  test("a column that is determined is so with its blanks too") {
    assertServed("""SELECT x.d, count(*) AS n FROM (SELECT CAST(b AS STRING) AS b FROM t1) y
        |JOIN char_b x ON rpad(y.b, 4, ' ') = x.b GROUP BY x.d""".stripMargin, stock = 3, ours = 2)
  }

  test("two groupings by the key, joined on it, stay where its table was joined") {
    assertServed("""SELECT x.d, x.n, y.m
        |FROM (SELECT p.d, count(*) AS n FROM char_d p JOIN t1 ON p.a = t1.a GROUP BY p.d) x
        |JOIN (SELECT p.d, max(t3.k) AS m FROM char_d p JOIN t3 ON p.a = t3.a GROUP BY p.d) y
        |ON x.d = y.d""".stripMargin, stock = 5, ours = 3)
  }

  test("keys that differ in blanks alone are found out, unless they are read as they are") {
    assumeExtension()
    def check(): Unit =
      CheckedTables(spark, spark.table("blanks").asInstanceOf[Dataset[_]].queryExecution.logical)
    withConf("spark.sql.readSideCharPadding" -> "true") {
      val error = intercept[DependencyViolated](check())
      assert(error.getMessage.contains("d is 'k' in 2 rows"), error.getMessage)
    }
    withConf("spark.sql.readSideCharPadding" -> "false")(check())
  }
}
