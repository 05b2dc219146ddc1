package io.colocate.exchange

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.explain.ColocateExplainProvider
import io.colocate.testing.ColocateTestSession

/** What the extension names in a session's settings is there again after they were reset. */
class ResetSuite extends AnyFunSuite with ColocateTestSession {

  private val evaluator = "spark.sql.adaptive.customCostEvaluatorClass"
  private val providers = "spark.sql.extendedExplainProviders"

  private def afterQuery(key: String): Option[String] = {
    sql("SELECT 1").collect()
    spark.conf.getOption(key)
  }

  for ((name, reset) <- Seq[(String, () => Unit)]("RESET" -> (() => sql("RESET")),
      "unset" -> (() => Seq(evaluator, providers).foreach(spark.conf.unset(_)))))
    test(s"after $name") {
      assert(afterQuery(evaluator).contains(classOf[WithdrawalCostEvaluator].getName))
      reset()
      assert(afterQuery(evaluator).contains(classOf[WithdrawalCostEvaluator].getName))
      assert(afterQuery(providers).exists(_.contains(classOf[ColocateExplainProvider].getName)))
    }

  test("what the user names stays") {
    withConf(evaluator -> "org.example.Mine", "spark.sql.adaptive.enabled" -> "false") {
      assert(afterQuery(evaluator).contains("org.example.Mine"))
    }
  }
}
