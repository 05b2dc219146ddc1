package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkException
import org.apache.spark.sql.internal.SQLConf

class RuleRunnerSuite extends AnyFunSuite {

  private def conf(settings: (String, String)*): SQLConf = {
    val conf = new SQLConf
    settings.foreach { case (key, value) => conf.setConfString(s"spark.colocate.$key", value) }
    conf
  }

  private val carryOn = conf("testing.rethrowErrors" -> "false")

  final private class Rule(body: Int => Int) extends OptionalRule[Int, Int] {
    override def concerns(plan: Int): Boolean = plan > 0
    override def apply(plan: Int): Int = body(plan)
    override def without(plan: Int): Int = plan
    override def failed(plan: Int, error: Throwable): Int = -plan
  }

  private def run(conf: SQLConf, plan: Int)(body: Int => Int): Int =
    SQLConf.withExistingConf(conf)(RuleRunner.optional("test rule", Switch.Exchange,
      new Rule(body)).apply(plan))

  private def broken(error: Throwable): Int => Int = _ => throw error

  private def cancelled: SparkException =
    new SparkException("SPARK_JOB_CANCELLED", Map("jobId" -> "7", "reason" -> "by the user"), null)

  test("a rule runs while its switch and the master switch are on") {
    assert(run(carryOn, 7)(_ + 1) == 8)
    for (key <- Seq("enabled", "exchange.enabled"))
      assert(run(conf(key -> "false"), 7)(broken(new IllegalStateException)) == 7)
  }

  test("an error of a rule leaves Spark's plan") {
    assert(run(carryOn, 7)(broken(new IllegalStateException("broken"))) == -7)
    assert(run(carryOn, 7)(broken(new SparkException("a job has failed"))) == -7)
    intercept[IllegalStateException](run(conf("testing.rethrowErrors" -> "true"), 7)(
        broken(new IllegalStateException)))
  }

  test("a wrong value of a key is raised, but not to a plan that the rule has nothing to do with") {
    val wrong = conf("multiway.keepBytes" -> "abc", "testing.rethrowErrors" -> "false")
    val error = intercept[IllegalArgumentException](run(wrong, 7)(_ + 1))
    assert(error.getMessage.contains("[COLOCATE_INVALID_CONF] spark.colocate.multiway.keepBytes"))
    assert(run(wrong, 0)(_ + 1) == 0)
  }

  test("a job of a rule that is cancelled cancels the query") {
    val error = intercept[SparkException](run(carryOn, 7)(broken(cancelled)))
    assert(error.getCondition == "SPARK_JOB_CANCELLED")
    intercept[RuntimeException](run(carryOn, 7)(broken(new RuntimeException("around it",
      cancelled))))
    intercept[RuntimeException](run(carryOn, 7)(
        broken(new RuntimeException(new InterruptedException))))
  }

  test("the error of a rule that Spark cannot do without is raised, whatever is switched off") {
    val rule = RuleRunner.needed("needed test rule", new Rule(broken(new IllegalStateException)))
    for (settings <- Seq(carryOn, conf("enabled" -> "false")))
      intercept[IllegalStateException](SQLConf.withExistingConf(settings)(rule(7)))
  }

  test("each run is timed under the rule's name, those that were switched off are not") {
    def calls = RuleTimes.soFar.collectFirst { case ("test rule", calls, _) => calls }.getOrElse(0L)
    val before = calls
    run(carryOn, 7)(_ + 1)
    run(carryOn, 7)(broken(new IllegalStateException))
    run(conf("enabled" -> "false"), 7)(_ + 1)
    assert(calls == before + 2)
  }
}
