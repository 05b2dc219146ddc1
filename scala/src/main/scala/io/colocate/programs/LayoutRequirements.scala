package io.colocate.programs

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.Requirement
import io.colocate.facts.estimated.Estimates
import io.colocate.facts.proved.{DeclaredFacts, Proofs}
import io.colocate.programs.lineage.{Field, Inputs, Lineage, Placed}
import io.colocate.programs.operators.{OperatorTable, Verdict}

/**
 * A key by which an operator needs the rows of one of its sides, and where that key comes from.
 *
 * @param operator a number of its own for each operator of the query
 * @param node     its name, as in a plan
 * @param side     which of its children
 * @param key      the place of the key among the operator's
 * @param columns  the column that is the key, of each table that the rows come from; empty if they cannot be told
 * @param bytes    of all rows of the side, as estimated; None if it is not known how many there are
 */
final case class LayoutRequirement(
    operator: Int,
    node: String,
    side: Int,
    key: Int,
    columns: Map[String, String],
    bytes: Option[Double])

/** What the operators of one query need: what a choice of layouts for the tables of many queries is made from. */
final class LayoutRequirements(plans: SparkPlans, declared: DeclaredFacts = DeclaredFacts.None) {

  private val proofs = new Proofs(declared)
  private val estimates = new Estimates(proofs)
  private val inputs = new Inputs
  private val loops = new RecursiveQueries(inputs, plans)
  private val lineage = new Lineage(inputs, proofs, loops.input)

  def of(query: SparkPlan): Seq[LayoutRequirement] =
    operators(query).filter(OperatorTable.verdict(_) == Verdict.SameKeys).zipWithIndex.flatMap {
      case (operator, number) => ofOperator(operator, number)
    }

  private def operators(plan: SparkPlan): Seq[SparkPlan] =
    plan.collect { case operator => operator +: plans.subqueries(operator).flatMap(operators) }
      .flatten

  private def ofOperator(operator: SparkPlan, number: Int): Seq[LayoutRequirement] = for {
    (child, side) <- operator.children.zipWithIndex
    bytes = estimates(child).bytes(child.output)
    (key, place) <- Requirement.keys(operator, side).getOrElse(Nil).zipWithIndex
  } yield LayoutRequirement(number, operator.nodeName, side, place, columns(child, key), bytes)

  /** Of several ways the first: of columns that a join makes equal, the join itself has the others. */
  private def columns(child: SparkPlan, key: Expression): Map[String, String] =
    lineage(child, key).ways.find(stored).fold(Map.empty[String, String])(_.fields.map {
      case (input, field) => input.name -> field.text
    })

  private def stored(way: Placed): Boolean = way.fields.values.forall(_.form == Field.Column)
}
