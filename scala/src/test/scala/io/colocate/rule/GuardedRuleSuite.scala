package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkException
import org.apache.spark.sql.internal.SQLConf

class GuardedRuleSuite extends AnyFunSuite {

  private val carryOn = {
    val conf = new SQLConf
    conf.setConfString("spark.colocate.testing.rethrowErrors", "false")
    conf
  }

  private def run(rule: => String): String =
    GuardedRule[String]("test", carryOn, _ => true)("stock")(rule)(e => s"failed: ${e.getMessage}")

  private def cancelled: SparkException =
    new SparkException("SPARK_JOB_CANCELLED", Map("jobId" -> "7", "reason" -> "by the user"), null)

  test("an error of a rule leaves Spark's plan") {
    assert(run("ours") == "ours")
    assert(run(throw new IllegalStateException("broken")) == "failed: broken")
    assert(run(throw new SparkException("a job has failed")) == "failed: a job has failed")
  }

  test("a job of a rule that is cancelled cancels the query") {
    assert(intercept[SparkException](run(throw cancelled)).getCondition == "SPARK_JOB_CANCELLED")
    intercept[RuntimeException](run(throw new RuntimeException("around it", cancelled)))
    intercept[RuntimeException](run(throw new RuntimeException(new InterruptedException)))
  }
}
