package io.colocate.functions

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.testing.CountsJobs

/** A table function that runs jobs runs them when its rows are asked for, each time anew. */
class RowsLaterSuite extends AnyFunSuite with CountsJobs {

  private val queries = """'["SELECT * FROM t WHERE a = 7"]'"""
  private val advised = s"SELECT column, read_share FROM colocate_advise_columns('t', $queries)"

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t USING colocate OPTIONS (maxLeafRows '100', columns 'b') AS " +
      "SELECT id AS a, id % 10 AS b FROM range(1000)")
  }

  test("no job runs for the analysis of a query, its plan or a view, and some when it runs") {
    val (frame, jobs) = countingJobs {
      sql(s"EXPLAIN $advised").collect()
      sql(s"CREATE OR REPLACE TEMP VIEW advice AS $advised")
      sql(advised)
    }
    frame.queryExecution.executedPlan
    assert(jobs == 0)
    val (rows, more) = countingJobs(frame.collect())
    assert(rows.map(_.getString(0)).head == "a" && rows.head.getDouble(1) < 0.5, rows.toSeq)
    // A sample of the table, and the query itself.
    assert(more >= 2)
    assert(sql("SELECT * FROM advice").collect().toSeq == rows.toSeq)
  }

  test("the rows may be joined with themselves") {
    val twice = s"SELECT count(*) FROM ($advised) x JOIN ($advised) y ON x.column = y.column"
    assert(sql(twice).head().getLong(0) == 2)
    val view = sql(advised)
    assert(view.as("x").join(view.as("y"), "column").count() == 2)
  }

  test("what the user gave is looked at when the query is analysed") {
    val error = intercept[Exception](sql("SELECT * FROM colocate_advise_columns('t', 'x')"))
    assert(error.getMessage.contains("a JSON array of query texts"))
  }
}
