package io.colocate.exchange.search

import org.apache.spark.sql.execution.{CoalesceExec, ExpandExec}
import org.apache.spark.sql.execution.python.EvalPythonExec

import io.colocate.exchange.claims.{BesidePython, Expanded, Kept, Merged}
import io.colocate.facts.proved.KeptColumns

/**
 * Declares that rows lie as the rows below an operator do, where the operator does not say so itself;
 * [[Expanded]], [[Merged]], [[BesidePython]] and [[Kept]] have the plans and the counter-examples.
 */
object KeptRows {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] = {
    val fact = choice.operator match {
      case _: ExpandExec => Some(Expanded)
      case _: CoalesceExec => Some(Merged)
      case eval: EvalPythonExec => Some(BesidePython(eval.udfs.map(_.name)))
      case other => Option(KeptColumns.of(other)).filter(_.nonEmpty).map(Kept(_))
    }
    val claimed = fact.filter(_ => wishes.nonEmpty && !choice.hasUsersNumber)
      .map(choice.claiming(_)).filter(_.partitioning != choice.partitioning)
    choice +: claimed.toSeq
  }
}
