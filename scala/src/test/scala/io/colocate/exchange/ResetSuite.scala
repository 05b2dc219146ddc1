package io.colocate.exchange

import io.colocate.testing.ColocateTestSession

import org.scalatest.funsuite.AnyFunSuite

/** What a session is told of us stays told after RESET, which takes all of a session's settings away. */
class ResetSuite extends AnyFunSuite with ColocateTestSession {

  private val Evaluator = "spark.sql.adaptive.customCostEvaluatorClass"
  private val Providers = "spark.sql.extendedExplainProviders"

  private def named: Seq[Option[String]] = {
    sql("SELECT 1").collect()
    Seq(Evaluator, Providers).map(spark.conf.getOption)
  }

  test("after RESET and unset both are named again") {
    val before = named
    assert(before.forall(_.exists(_.contains("io.colocate"))))
    for (reset <- Seq("RESET", s"RESET $Evaluator", s"RESET $Providers")) {
      sql(reset)
      assert(named == before, reset)
    }
    spark.conf.unset(Evaluator)
    assert(named == before)
  }

  test("what the user has named, or switched off, stays") {
    withConf(Evaluator -> "some.Other", Providers -> "some.Provider") {
      spark.sql("SELECT 1").queryExecution.analyzed
      assert(spark.conf.get(Evaluator) == "some.Other")
      assert(spark.conf.get(Providers) == "some.Provider")
    }
    withConf("spark.colocate.explain.enabled" -> "false") {
      spark.sql("SELECT 1").queryExecution.analyzed
      assert(!spark.conf.getOption(Providers).exists(_.contains("io.colocate")))
      assert(spark.conf.get(Evaluator).contains("io.colocate"))
    }
  }

  test("switched off, the names are taken away, and only ours") {
    withConf("spark.colocate.enabled" -> "false") {
      assert(named == Seq(None, None))
    }
    assert(named.forall(_.exists(_.contains("io.colocate"))))
    withConf(Evaluator -> "some.Other", Providers -> s"some.Provider,${named(1).get}",
      "spark.colocate.enabled" -> "false") {
      spark.sql("SELECT 1").queryExecution.analyzed
      assert(spark.conf.get(Evaluator) == "some.Other")
      assert(spark.conf.get(Providers) == "some.Provider")
    }
  }
}
