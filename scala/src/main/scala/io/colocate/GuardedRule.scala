package io.colocate

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

import io.colocate.reason.{Reason, ReasonCode}

/**
 * Runs one rule: asks the master switch, and keeps Spark's plan when the rule fails. A wrong value
 * of a key is the user's to mend, and is raised; any other error is logged once per query, handed
 * to `failed` as a reason, and raised only where spark.colocate.testing.rethrowErrors is true.
 */
object GuardedRule extends Logging {

  def apply(name: String, plan: SparkPlan, conf: SQLConf, on: SQLConf => Boolean)(
      rule: SparkPlan => SparkPlan)(failed: (SparkPlan, Reason) => SparkPlan): SparkPlan =
    if (!on(conf)) plan
    else {
      ColocateConf.validate(conf)
      try rule(plan)
      catch {
        case e @ (NonFatal(_) | _: StackOverflowError) if !ColocateConf.RethrowErrors(conf) =>
          logWarning(s"Colocate's rule $name failed; Spark's plan is kept.", e)
          failed(plan, Reason(ReasonCode.InternalError, "rule" -> name, "error" -> e.toString))
      }
    }
}
