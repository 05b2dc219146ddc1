package io.colocate.rule

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

/**
 * Runs one rule: asks its switch, takes its time ([[RuleTimes]]), and leaves Spark to itself when
 * the rule fails. A wrong value of a key is the user's to mend, and is raised; any other error is
 * logged once per query, handed to `failed`, and raised only where
 * spark.colocate.testing.rethrowErrors is true. A cancelled job is no error of the rule.
 */
object GuardedRule extends Logging {

  /** @param stock what Spark alone does */
  def apply[T](name: String, conf: SQLConf, on: SQLConf => Boolean)(stock: => T)(rule: => T)(
      failed: Throwable => T): T =
    if (!on(conf)) stock
    else
      RuleTimes.timed(name) {
        ColocateConf.validate(conf)
        try rule
        catch {
          case e @ (NonFatal(_) | _: StackOverflowError)
              if !ColocateConf.RethrowErrors(conf) && !isCancelled(e) =>
            logWarning(s"Colocate's rule $name failed; Spark's plan is kept.", e)
            failed(e)
        }
      }

  /**
   * The same for a rule that rewrites a physical plan. One without children is left as it is, unasked: it has nothing to
   * rewrite, and may be the statement that mends a wrong value.
   */
  def rewriting(name: String, conf: SQLConf, on: SQLConf => Boolean)(plan: SparkPlan)(
      rule: => SparkPlan)(failed: Throwable => SparkPlan): SparkPlan =
    if (plan.children.isEmpty) plan else apply(name, conf, on)(plan)(rule)(failed)

  /** A rule may run jobs; who cancels one has cancelled the query. */
  private def isCancelled(e: Throwable): Boolean =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).take(MostCauses).exists {
      case _: InterruptedException => true
      case spark: SparkThrowable => spark.getCondition == "SPARK_JOB_CANCELLED"
      case _ => false
    }

  private val MostCauses = 20
}
