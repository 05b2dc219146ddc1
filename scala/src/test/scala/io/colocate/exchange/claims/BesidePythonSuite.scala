package io.colocate.exchange.claims

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.execution.python.ArrowEvalPythonExec
import org.apache.spark.sql.types.IntegerType

import io.colocate.facts.proved.StubPlans
import io.colocate.testing.ColocateTestSession

/** How rows lie that scalar Python functions have given more columns. */
class BesidePythonSuite extends AnyFunSuite with ColocateTestSession {

  private val Seq(a, made) = Seq("a", "made").map(name => AttributeReference(name, IntegerType)())
  private val fact = BesidePython(Seq("f", "f", "g"))

  private def eval(child: SparkPlan): SparkPlan = ArrowEvalPythonExec(Nil, Seq(made), child, 101)

  private def derived(plan: SparkPlan): Partitioning =
    ClaimFact.derive(Seq(fact), plan, plan.outputPartitioning)

  test("rows lie as those do to which columns were added, of which Spark says nothing") {
    val hashed = HashPartitioning(Seq(a), 4)
    val plan = eval(ShuffleExchangeExec(hashed, StubPlans.Rows(Seq(a))))
    assert(plan.outputPartitioning.isInstanceOf[UnknownPartitioning])
    assert(derived(plan) == hashed)
  }

  test("nothing is said of rows that lie by nothing, and above no other operator") {
    val plan = eval(StubPlans.Rows(Seq(a)))
    assert(derived(plan) == plan.outputPartitioning)
    val other =
      StubPlans.Unseen(ShuffleExchangeExec(HashPartitioning(Seq(a), 4), StubPlans.Rows(Seq(a))))
    assert(derived(other) == other.outputPartitioning)
  }

  test("the reason names each function once, and the keys") {
    val reason = fact.reason(Seq(a)).map(_.toString).getOrElse("")
    assert(reason.contains("f, g adds columns to rows that are hashed on (a)"), reason)
    assert(fact.reason(Nil).isEmpty)
  }
}
