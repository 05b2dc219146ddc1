package io.colocate.testing

import org.apache.spark.sql.catalyst.expressions.ExprId
import org.apache.spark.sql.execution.{InputAdapter, SparkPlan, WholeStageCodegenExec}

import io.colocate.facts.proved.{Key, Proofs, ProvedFacts}

/**
 * The operators of a plan that is not adapted, each with what is proved of its rows:
 * {{{
 *   HashAggregate: key a#1; a#1 -> n#9
 *     Exchange
 *       SortMergeJoin: a#1 = a#8
 * }}}
 */
object FactsText {

  def apply(plan: SparkPlan): String = {
    val names = plan.collect { case operator => operator.output }.flatten
      .map(column => column.exprId -> column.toString).toMap
    val proofs = new Proofs
    lines(plan, 0)(operator => facts(proofs(operator), names)).mkString("\n")
  }

  private def lines(plan: SparkPlan, depth: Int)(facts: SparkPlan => Seq[String]): Seq[String] =
    plan match {
      case _: WholeStageCodegenExec | _: InputAdapter => lines(plan.children.head, depth)(facts)
      case _ =>
        val known = facts(plan)
        val tail = if (known.isEmpty) "" else known.mkString(": ", "; ", "")
        (("  " * depth) + plan.nodeName + tail) +: plan.children.flatMap(lines(_, depth + 1)(facts))
    }

  private def facts(proved: ProvedFacts, names: Map[ExprId, String]): Seq[String] = {
    def list(ids: Set[ExprId]) = ids.toSeq.map(id => names.getOrElse(id, s"#${id.id}")).sorted
    def text(ids: Set[ExprId]) = list(ids).mkString(", ")
    def key(known: Key) = s"${if (known.strict) "" else "lax "}key ${text(known.columns)}"
    val more = proved.dependencies.filterNot(d => d.determined.subsetOf(d.of))
    list(proved.constants).map(_ + " is constant") ++ proved.equal.map(list(_).mkString(" = ")) ++
      proved.keys.map(key) ++ more.map(d => s"${text(d.of)} -> ${text(d.determined -- d.of)}")
  }
}
