package io.colocate.programs

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, ShuffleExchangeLike}
import org.apache.spark.sql.internal.SQLConf

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
 * @param bytes    what Spark alone shuffles of the side, as estimated: 0 where it is in place, None if it is not
 *                 known how many rows there are
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
    parts(query).flatMap(part => keyed(part).zip(shuffled(part))).zipWithIndex.flatMap {
      case ((operator, shuffled), number) => ofOperator(operator, shuffled, number)
    }

  /** The query and its subqueries, which Spark plans apart. */
  private def parts(plan: SparkPlan): Seq[SparkPlan] =
    plan +: plan.collect { case operator => plans.subqueries(operator).flatMap(parts) }.flatten

  private def keyed(part: SparkPlan): Seq[SparkPlan] = part.collect {
    case operator if OperatorTable.verdict(operator) == Verdict.SameKeys => operator
  }

  /** Which sides of each of these operators Spark shuffles, as its own rule decides. */
  private def shuffled(part: SparkPlan): Seq[Seq[Boolean]] =
    SQLConf.withExistingConf(plans.session.sessionState.conf) {
      keyed(EnsureRequirements()(part)).map(_.children.map(isShuffled))
    }

  @tailrec
  private def isShuffled(side: SparkPlan): Boolean = side match {
    case sort: SortExec => isShuffled(sort.child)
    case other => other.isInstanceOf[ShuffleExchangeLike]
  }

  private def ofOperator(
      operator: SparkPlan,
      shuffled: Seq[Boolean],
      number: Int): Seq[LayoutRequirement] = for {
    (child, side) <- operator.children.zipWithIndex
    bytes = if (shuffled(side)) estimates(child).bytes(child.output) else Some(0.0)
    (key, place) <- Requirement.keys(operator, side).getOrElse(Nil).zipWithIndex
  } yield LayoutRequirement(number, operator.nodeName, side, place, columns(child, key), bytes)

  /** Of several ways the first: of columns that a join makes equal, the join itself has the others. */
  private def columns(child: SparkPlan, key: Expression): Map[String, String] =
    lineage(child, key).ways.find(stored).fold(Map.empty[String, String])(_.fields.map {
      case (input, field) => input.name -> field.text
    })

  private def stored(way: Placed): Boolean = way.fields.values.forall(_.form == Field.Column)
}
