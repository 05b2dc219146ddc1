package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.{EvalPythonExec, EvalPythonUDTFExec}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Scalar Python functions give each row of a partition more columns, and table functions one for each row that
 * they make of it; they leave it where it is.
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
      case eval @ (_: EvalPythonExec | _: EvalPythonUDTFExec) =>
        val below = HashPartitionings.members(eval.children.head.outputPartitioning)
        (present ++ below.filter(passedOn(eval, _))).distinct
      case _ => present
    }

  /** A table function passes on the columns that are read above it. */
  private def passedOn(eval: SparkPlan, below: Partitioning): Boolean = below match {
    case e: Expression => Kept.isOfColumns(below) && e.references.subsetOf(eval.outputSet)
    case _ => false
  }

  override def reason(keys: Seq[Expression]): Option[Reason] =
    Option.when(keys.nonEmpty)(Reason(ExchangeReasons.BesidePython,
      "functions" -> functions.distinct.mkString(", "), "keys" -> HashPartitionings.text(keys)))

  override def text: String = s"rows stay beside ${functions.distinct.mkString(", ")}"
}
