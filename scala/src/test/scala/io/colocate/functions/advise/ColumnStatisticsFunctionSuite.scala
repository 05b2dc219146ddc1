package io.colocate.functions.advise

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.testing.ColocateTestSession

class ColumnStatisticsFunctionSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql(
      "CREATE TABLE t USING parquet AS SELECT id AS a, id % 10 AS `b.c`, 'x' AS never FROM range(1000)")
    sql("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS a, `b.c`")
    sql("CREATE TABLE bare USING parquet AS SELECT 1 AS a")
    sql("CREATE VIEW v AS SELECT * FROM t")
  }

  private def rows(tables: String): Seq[Row] =
    sql(s"SELECT * FROM colocate_column_statistics('$tables')").collect().toSeq

  test("a row for each column that was counted, of all tables") {
    val found = rows("""["spark_catalog.default.t", "t"]""")
    assert(found.map(_.getString(0)) == Seq("spark_catalog.default.t", "spark_catalog.default.t",
      "t", "t"))
    assert(found.map(_.getString(1)) == Seq("a", "b.c", "a", "b.c"))
    assert(found.head.getLong(2) > 900 && found(1).getLong(2) == 10 && found.forall(_.isNullAt(3)))
  }

  test("tables without statistics, and what is no table of the session's catalog") {
    assert(rows("""["bare", "v", "nowhere", "no.where", "other.default.t", "file:/t"]""").isEmpty)
    assert(rows("[]").isEmpty)
  }

  test("the share that one value may have, from the bins of a histogram") {
    withConf(SQLConf.HISTOGRAM_ENABLED.key -> "true", SQLConf.HISTOGRAM_NUM_BINS.key -> "10") {
      sql(
        "CREATE TABLE hot USING parquet AS SELECT id AS a, if(id < 450, 7, id) AS b FROM range(1000)")
      sql("ANALYZE TABLE hot COMPUTE STATISTICS FOR ALL COLUMNS")
    }
    val Seq(even, hot) = rows("""["hot"]""").map(_.getDouble(3))
    assert(even == 0.1 && hot >= 0.45 && hot <= 0.6)
  }

  test("what is no list of names is refused") {
    val error = intercept[AnalysisException](rows("t"))
    assert(error.getMessage.contains("tables is 't'; accepted: a JSON array of names of tables."))
  }
}
