package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.EvalPythonExec

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Scalar Python functions give each row of a partition more columns, and leave it where it is.
 *
 * {{{
 *   HashAggregate [a]                             HashAggregate [a]
 *   +- Exchange [a]                               +- Project [a, pythonUDF0 AS y]
 *      +- Project [a, pythonUDF0 AS y]      =>       +- ColocateClaim [rows stay beside f]
 *         +- ArrowEvalPython [f(x)]                     +- ArrowEvalPython [f(x)]
 *            +- ... hashed on a                            +- ... hashed on a
 * }}}
 *
 * Valid for the columns that the functions were given and for those that they never see. Counter-example: a
 * grouping by what a function gives, of which only [[Kept]] may know something.
 */
final case class BesidePython(functions: Seq[String]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    Computing(operator) match {
      case eval: EvalPythonExec =>
        val below = HashPartitionings.members(eval.child.outputPartitioning)
        (present ++ below.filter(Kept.isOfColumns)).distinct
      case _ => present
    }

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.nonEmpty)(Reason(ExchangeReasons.BesidePython,
      "functions" -> functions.distinct.mkString(", "), "keys" -> HashPartitionings.text(keys)))

  override def text: String = s"rows stay beside ${functions.distinct.mkString(", ")}"
}
