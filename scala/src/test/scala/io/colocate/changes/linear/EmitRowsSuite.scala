package io.colocate.changes.linear

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.GenerateExec

import io.colocate.report.{ChangesReasons, Findings}
import io.colocate.testing.{ColocateTestSession, EveryOther, Executed, Outcome, Rows, RunConf, TestTables}

/**
 * Generators whose rows the query lists: the same rows, or the same error, as Spark alone, with generated
 * code and without, and no array where it is said that there is none.
 */
class EmitRowsSuite extends AnyFunSuite with ColocateTestSession with EveryOther {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val Three = "inline(array(struct(a AS p, s AS q), struct(b + 1 AS p, 'x' AS q), " +
    "struct(NULL AS p, concat(s, '!') AS q)))"

  private def off(code: Boolean) = run(RunConf(colocate = false, adaptive = false), code) _
  private def on(code: Boolean, adaptive: Boolean = false) =
    run(RunConf(colocate = true, adaptive), code) _

  private def run(how: RunConf, code: Boolean)(query: String): Executed = {
    val mode = if (code) "CODEGEN_ONLY" else "NO_CODEGEN"
    execute(how, "spark.sql.codegen.wholeStage" -> code.toString,
      "spark.sql.codegen.factoryMode" -> mode)(sql(query))
  }

  private def emits(done: Executed): Int =
    done.plan.toSeq.flatMap(_.collectFirst { case e: ColocateEmit => e }).size

  private def emitsAll(done: Executed): Int = done.plan.get.collect { case e: ColocateEmit =>
    e
  }.size

  for ((name, query) <- Seq("inline" -> s"SELECT k, $Three FROM t1",
      "inline, outer" -> "SELECT k, x.* FROM t1 LATERAL VIEW OUTER inline(array(struct(a, b))) x AS p, q",
      "explode" -> "SELECT s, explode(array(a, b, c, a)) FROM t1",
      "posexplode" -> "SELECT posexplode(array(x, -x, CAST(NULL AS DOUBLE))), a FROM t1",
      "stack" -> "SELECT stack(3, a, s, b, 'text', c) FROM t1",
      "stack of one row" -> "SELECT x, stack(1, a, b) FROM t1",
      "nested values" -> "SELECT explode(array(struct(a AS p, array(b) AS q), struct(c AS p, array(d, d) AS q))) FROM t1",
      "no column passes by" -> "SELECT explode(array(a, a + 1)) AS one FROM t1",
      "a chain" -> s"""SELECT k + p AS y, q, stack(2, q, k, q, -k) FROM (
          SELECT k, p, q, explode(array(p, k + 1)) AS r FROM (
            SELECT k, p, explode(array(s, 'z')) AS q FROM (
              SELECT k, s, explode(array(a, b)) AS p FROM t1) WHERE p > 3))""",
      "above a join, below an aggregate" ->
        """SELECT v, count(*), sum(w) FROM (
          SELECT t1.a AS v, explode(array(t1.b, t2.b)) AS w FROM t1 JOIN t2 ON t1.a = t2.a) GROUP BY v""",
      "random values" -> "SELECT k, explode(array(rand(3), rand(4), 0D)) FROM t1");
    code <- Seq(true, false))
    test(s"$name, ${if (code) "generated code" else "interpreted"}") {
      val (stock, ours) = (off(code)(query), on(code)(query))
      assert(Some(stock.outcome).collect { case rows: Rows => rows.size }.exists(_ > 10),
        stock.outcome)
      assert(Outcome.difference(stock.outcome, ours.outcome).isEmpty)
      assert(emits(ours) == 1, ours.plan)
      assert(!ours.plan.get.exists(_.isInstanceOf[GenerateExec]), ours.plan)
      assert(emits(stock) == 0)
    }

  test("with adaptive execution too, in each stage") {
    val query = s"SELECT v, count(*) FROM (SELECT explode(array(a, c)) AS v, s FROM t1) GROUP BY v"
    val (stock, ours) = (off(code = true)(query), on(code = true, adaptive = true)(query))
    assert(Outcome.difference(stock.outcome, ours.outcome).isEmpty)
    assert(ours.plan.get.toString.contains("ColocateEmit"), ours.plan)
  }

  test("a chain is compiled into one stage, without an array") {
    val query = """SELECT sum(p), sum(q) FROM (
        SELECT p, explode(array(p, k)) AS q FROM (SELECT k, explode(array(a, b)) AS p FROM t1) WHERE p > 3)"""
    val plan = on(code = true)(query).plan.get
    assert(plan.collect { case e: ColocateEmit => e }.size == 2)
    val code = org.apache.spark.sql.execution.debug.codegenString(plan)
    assert(code.contains("emitted") && !code.contains("ArrayData"), code)
  }

  test("an error of a later row is met before an earlier row is given, as in Spark") {
    val query = "SELECT explode(array(k, k + 9223372036854775807, 1)) FROM t1 WHERE k > 0 LIMIT 1"
    for (code <- Seq(true, false)) {
      val (stock, ours) = (off(code)(query), on(code)(query))
      assert(!stock.outcome.isInstanceOf[Rows], stock.outcome)
      assert(Outcome.difference(stock.outcome, ours.outcome).isEmpty, ours.outcome)
      assert(emits(ours) == 1)
    }
  }

  test("a value that nobody fails on is not met") {
    val query = "SELECT explode(array(a, 10 div b)) FROM t1 WHERE b > 0"
    val (stock, ours) = (off(code = true)(query), on(code = true)(query))
    assert(stock.outcome.isInstanceOf[Rows])
    assert(Outcome.difference(stock.outcome, ours.outcome).isEmpty)
  }

  test("a query may stop after some rows") {
    val query = "SELECT k, explode(array(a, b, c)) AS v FROM t1 ORDER BY k, v LIMIT 4"
    assert(Outcome.difference(off(code = true)(query).outcome,
      on(code = true)(query).outcome).isEmpty)
  }

  test("what is not listed stays: elements of a column, structs that may be NULL, no rows") {
    for (query <- Seq("SELECT explode(split(s, 'K')) FROM t1",
        "SELECT inline(array(struct(a AS p, b AS q), IF(a > 3, struct(c AS p, d AS q), NULL))) FROM t1",
        "SELECT explode(sequence(1, c)) FROM t1 WHERE c > 0",
        "SELECT a, x FROM t1 LATERAL VIEW OUTER explode(array()) t AS x")) {
      val (stock, ours) = (off(code = true)(query), on(code = true)(query))
      assert(Outcome.difference(stock.outcome, ours.outcome).isEmpty, query)
      assert(emits(ours) == 0, query)
    }
  }

  test("a long list stays, with a reason") {
    def query(values: Int): String =
      s"SELECT explode(array(${(1 to values).map(i => s"a + $i").mkString(", ")})) FROM t1"
    val long = on(code = true)(query(201))
    val kept = long.plan.get.collectFirst { case g: GenerateExec => g }.get
    assert(Findings.of(kept).map(_.reason.code) == Seq(ChangesReasons.ListTooLong))
    val short = on(code = true)(query(200))
    assert(emits(short) == 1)
    assert(Outcome.difference(off(code = true)(query(200)).outcome, short.outcome).isEmpty)
  }

  test("hundreds of columns that pass by") {
    val columns = (1 to 300).map(i => s"a + $i AS c$i").mkString(", ")
    val query = s"SELECT *, explode(array(c1, c300)) FROM (SELECT $columns FROM t1)"
    for (code <- Seq(true, false)) {
      val ours = on(code)(query)
      assert(Outcome.difference(off(code)(query).outcome, ours.outcome).isEmpty)
      assert(emits(ours) == 1)
    }
  }

  test("switched off, the plan is Spark's") {
    withConf("spark.colocate.changes.enabled" -> "false") {
      assert(emitsAll(on(code = true)(s"SELECT k, $Three FROM t1")) == 0)
    }
  }
}
