package io.colocate.rule

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Range}

import io.colocate.testing.PlanKit

/** What a statement and its subqueries consist of. Nothing is run. */
class StatementsSuite extends PlanKit {

  private def analysed(text: String): LogicalPlan = spark.sql(text).queryExecution.analyzed

  private def has(text: String): Boolean =
    Statements.have(analysed(text))(_.isInstanceOf[Distinct])

  test("a node is found in the plan, in a subquery, and in a subquery of that") {
    val inner = "SELECT DISTINCT id FROM range(3)"
    assert(has(inner))
    assert(has(s"SELECT * FROM range(9) WHERE id IN ($inner)"))
    assert(
      has(s"SELECT * FROM range(9) WHERE id IN (SELECT id FROM range(5) WHERE id IN ($inner))"))
  }

  test("a node that is nowhere is not found, with subqueries and without") {
    assert(!has("SELECT id FROM range(3)"))
    assert(!has("SELECT * FROM range(9) WHERE id IN (SELECT id FROM range(5))"))
    assert(Statements.have(analysed("SELECT id FROM range(3)"))(_.isInstanceOf[Range]))
  }
}
