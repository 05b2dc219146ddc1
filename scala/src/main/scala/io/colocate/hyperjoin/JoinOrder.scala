package io.colocate.hyperjoin

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, AttributeSet, EqualTo, Expression}
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._

import io.colocate.facts.expressions.{Equalities, NeverFails}
import io.colocate.hyperjoin.plan.{HyperJoinFindings, HyperJoinPlanner, JoinCosts, TableSide}
import io.colocate.report.{Bytes, HyperJoinReasons, InternalError, Reason}
import io.colocate.rule.{OptionalLogicalRule, Statements}

/**
 * Joins two robust tables with each other first if the query's order would shuffle one of them, and then
 * shuffle the joined rows again for the other (Lu et al., AdaptDB, PVLDB 10(5), 2017, on query 8 of
 * TPC-H).
 *
 * {{{
 *   Join (o_custkey = c_custkey)                   Join (l_orderkey = o_orderkey)
 *   :- Join (l_orderkey = o_orderkey)              :- lineitem and part, joined without a shuffle
 *   :  :- lineitem and part                =>      +- Join (o_custkey = c_custkey)     without a shuffle
 *   :  +- Relation orders                             :- Relation orders
 *   +- Relation customer                              +- Relation customer
 * }}}
 *
 * Valid for inner joins, whose order does not matter, if the upper condition refers only to columns of
 * the two tables. Counter-example: a left outer join in place of the lower one keeps rows of lineitem
 * without an order, and the upper join drops them. The upper condition compares columns and computes
 * nothing, so it cannot fail on rows that it would not have seen in the query's order.
 *
 * Decided by cost, as for each join by itself: the bytes shuffled, and the bytes read more than once. A
 * join is estimated to have as many rows as its larger input, less the rows that the filters of either
 * remove.
 */
final case class JoinOrder(session: SparkSession) extends OptionalLogicalRule {
  import JoinOrder._

  override def concerns(plan: LogicalPlan): Boolean = plan match {
    case _: Subquery => false
    case _ => Statements.hasQuery(plan)
  }

  override def apply(plan: LogicalPlan): LogicalPlan = if (hasChains(plan)) inOrder(plan) else plan

  /** The report on each join says that the order was not considered, whatever becomes of the join. */
  override def failed(plan: LogicalPlan, error: Throwable): LogicalPlan = {
    val reason = InternalError("join-order", error)
    plan.foreachWithSubqueries {
      case join: Join => join.setTagValue(HyperJoinFindings.Order, reason)
      case _ =>
    }
    plan
  }

  private def inOrder(plan: LogicalPlan): LogicalPlan = {
    val prices = new JoinCosts(HyperJoinPlanner(session, conf), conf)
    plan.transformUpWithSubqueries { case join: Join => ordered(join, prices) }
  }

  private def ordered(upper: Join, prices: JoinCosts): LogicalPlan =
    chains(upper).flatMap(reordered(upper, _, prices)).headOption.getOrElse(upper)

  private def reordered(upper: Join, chain: Chain, prices: JoinCosts): Option[LogicalPlan] = {
    val tables = join(chain.second, chain.third, chain.above)
    val whole = join(chain.first, tables, chain.below)
    for {
      first <- prices.withoutShuffle(tables)
      second <- prices(whole)
      lower <- prices(join(chain.first, chain.second, chain.below))
      last <- prices(upper)
      (ours, stock) = (first + second, lower + last) if ours.cost < stock.cost * WorthIt
    } yield {
      tables.setTagValue(HyperJoinFindings.Order,
        Reason(HyperJoinReasons.JoinedFirst, "bytes" -> Bytes.text(ours.shuffled),
          "stock" -> Bytes.text(stock.shuffled)))
      Project(upper.output, whole)
    }
  }
}

object JoinOrder {

  /** Estimates are rough, and the order of the query may have been chosen by its author. */
  private val WorthIt = 0.9

  /** `(first JOIN second ON below) JOIN third ON above`, with robust tables as second and third. */
  private case class Chain(
      first: LogicalPlan,
      second: LogicalPlan,
      third: LogicalPlan,
      below: Expression,
      above: Expression)

  private def hasChains(plan: LogicalPlan): Boolean = Statements.have(plan) {
    case join: Join => chains(join).nonEmpty
    case _ => false
  }

  private def chains(upper: Join): Seq[Chain] = for {
    (under, third) <- turns(upper).filter(_ => isPlain(upper)) if TableSide.isOne(third)
    lower <- inner(under).toSeq
    (first, second) <- turns(lower) if TableSide.isOne(second)
    (below, above) <- lower.condition.zip(upper.condition)
    if comparesColumns(above, second.outputSet ++ third.outputSet)
  } yield Chain(first, second, third, below, above)

  private def turns(join: Join) = Seq((join.left, join.right), (join.right, join.left))

  private def inner(plan: LogicalPlan): Option[Join] = plan match {
    case join: Join if isPlain(join) => Some(join)
    case Project(list, child) if list.forall(_.isInstanceOf[AttributeReference]) => inner(child)
    case _ => None
  }

  private def isPlain(join: Join): Boolean = join.joinType == Inner && join.hint.isEmpty &&
    !join.isStreaming && join.condition.exists(_.deterministic)

  private def comparesColumns(condition: Expression, of: AttributeSet): Boolean =
    Equalities.conjuncts(condition).forall {
      case equal @ EqualTo(_: AttributeReference, _: AttributeReference) =>
        NeverFails(equal) && equal.references.subsetOf(of)
      case _ => false
    }

  private def join(left: LogicalPlan, right: LogicalPlan, condition: Expression): Join =
    Join(left, right, Inner, Some(condition), JoinHint.NONE)
}
