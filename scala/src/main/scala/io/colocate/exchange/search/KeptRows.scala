package io.colocate.exchange.search

import org.apache.spark.sql.execution.{CoalesceExec, ExpandExec, SparkPlan}
import org.apache.spark.sql.execution.python.{EvalPythonExec, EvalPythonUDTFExec}

import io.colocate.exchange.claims.{BesidePython, ClaimFact, Expanded, Kept, Merged, Numbered}
import io.colocate.facts.proved.KeptColumns

/**
 * Declares that rows lie as the rows below an operator do, where the operator does not say so itself;
 * [[Expanded]], [[Merged]], [[BesidePython]], [[Kept]] and [[Numbered]] have the plans and the
 * counter-examples.
 */
object KeptRows {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] = {
    val facts = if (wishes.isEmpty || choice.hasUsersNumber) Nil else of(choice.operator)
    val claimed = Option.when(facts.nonEmpty)(choice.claiming(facts: _*))
    choice +: claimed.filter(_.partitioning != choice.partitioning).toSeq
  }

  private def of(operator: SparkPlan): Seq[ClaimFact] = operator match {
    case _: ExpandExec => Seq(Expanded)
    case _: CoalesceExec => Seq(Merged)
    case eval: EvalPythonExec => Seq(BesidePython(eval.udfs.map(_.name)))
    case eval: EvalPythonUDTFExec => Seq(BesidePython(Seq(eval.udtf.name)))
    case other =>
      val (kept, numbers) = (KeptColumns.of(other), Numbered.columns(other))
      Option.when(kept.nonEmpty)(Kept(kept)).toSeq ++
        Option.when(numbers.nonEmpty)(Numbered(numbers))
  }
}
