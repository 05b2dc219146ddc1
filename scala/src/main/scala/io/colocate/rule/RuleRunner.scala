package io.colocate.rule

import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import org.slf4j.{Logger, LoggerFactory}

import org.apache.spark.SparkThrowable
import org.apache.spark.internal.Logging
import org.apache.spark.sql.internal.SQLConf

/**
 * Runs every rule of Colocate: checks its switch, measures its time ([[RuleTimes]]), and keeps Spark's
 * own result if the rule fails. A wrong value of a key is the user's mistake and is raised. Any other
 * error is logged, passed to `failed`, and raised only if spark.colocate.testing.rethrowErrors is true.
 * A cancelled job is not an error of the rule. A rule that Spark cannot do without has no switch, and
 * its errors are raised.
 *
 * The logger `io.colocate.rules.NAME` shows at the level TRACE how a rule changes a plan.
 */
object RuleRunner extends Logging {

  /** A rule that Spark can do without. */
  def optional[In, Out](name: String, switch: Switch, rule: OptionalRule[In, Out]): In => Out = {
    val traced = trace[In, Out](name)
    plan =>
      if (rule.concerns(plan))
        run(name, switch, SQLConf.get)(rule.without(plan)) {
          val made = rule(plan)
          if (ColocateConf.CheckRules(SQLConf.get)) RuleCheck(name, rule, plan, made)
          traced(plan, made)
        }(rule.failed(plan, _))
      else rule.without(plan)
  }

  /** A rule without which a query would fail or be wrong. */
  def needed[In, Out](name: String, rule: PlanRule[In, Out]): In => Out = {
    val traced = trace[In, Out](name)
    plan => RuleTimes.timed(name)(traced(plan, rule(plan)))
  }

  /**
   * A part of a rule that Spark can do without.
   *
   * @param stock the result that Spark alone has
   */
  def part[T](part: RulePart, conf: SQLConf = SQLConf.get)(stock: => T)(ours: => T)(
      failed: Throwable => T): T =
    run(part.name, part.switch, conf)(stock)(ours)(failed)

  private def run[T](name: String, switch: Switch, conf: SQLConf)(stock: => T)(ours: => T)(
      failed: Throwable => T): T =
    if (!switch.on(conf)) stock
    else
      RuleTimes.timed(name) {
        ColocateConf.validate(conf)
        try ours
        catch {
          case e @ (NonFatal(_) | _: StackOverflowError)
              if !ColocateConf.RethrowErrors(conf) && !isCancelled(e) =>
            logWarning(s"Colocate's rule $name failed; Spark's plan is kept.", e)
            failed(e)
        }
      }

  // Spark makes a strategy anew for each operator that it plans; finding a logger takes longer than that.
  private val loggers = new ConcurrentHashMap[String, Logger]

  private def trace[In, Out](name: String): (In, Out) => Out = {
    val logger =
      loggers.computeIfAbsent(name, _ => LoggerFactory.getLogger(s"io.colocate.rules.$name"))
    (before, after) => {
      if (logger.isTraceEnabled && before != after)
        logger.trace(s"$before\nbecomes\n$after")
      after
    }
  }

  /** A rule may run jobs; cancelling one cancels the query. */
  private def isCancelled(e: Throwable): Boolean =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).take(MostCauses).exists {
      case _: InterruptedException => true
      case spark: SparkThrowable => spark.getCondition == "SPARK_JOB_CANCELLED"
      case _ => false
    }

  private val MostCauses = 20
}
