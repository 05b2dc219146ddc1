package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.expressions.FunctionOfKeys

/**
 * A layout that an operator further up would like to find.
 *
 * @param keys  what to hash, in order
 * @param exact true where Spark alone would hash these rows, or more, on just these keys: then a
 *              shuffle on them risks nothing new
 */
final case class Wish(keys: Seq[Expression], exact: Boolean)

/**
 * Wishes carried down the plan.
 *
 * On its way down a key becomes what it is computed from. A key that cannot be told below (a sum,
 * a column of the other side) is dropped, and the rest still helps: rows hashed on fewer keys are
 * together for more. These are suggestions only. Whether a layout serves an operator is always
 * asked of Spark.
 */
object InterestingPartitionings {

  /** The wishes for an operator's output, in terms of the output of its child `i`. */
  def below(operator: SparkPlan, i: Int, wishes: Seq[Wish], keepsRows: Boolean): Seq[Wish] =
    if (wishes.isEmpty) Nil
    else {
      val translate = translation(operator, i)
      distinct(wishes.map(told(_, translate, keepsRows)))
    }

  /** Each wish for the output of a union, in terms of one branch after the other. */
  def branches(union: UnionExec, wishes: Seq[Wish]): Seq[Seq[Wish]] =
    if (wishes.isEmpty) union.children.map(_ => Nil)
    else {
      val output = union.output
      union.children.map { child =>
        val translate = foundIn(child, renamed(output.zip(child.output)))
        wishes.map(told(_, translate, keepsRows = true))
      }
    }

  private def told(
      wish: Wish,
      translate: Expression => Option[Expression],
      keepsRows: Boolean): Wish = {
    val keys = wish.keys.flatMap(translate(_))
    Wish(keys, wish.exact && keepsRows && keys.length == wish.keys.length)
  }

  /** The part of each wish that serves the operator's own need, in the wanted order. */
  def within(wishes: Seq[Wish], need: ClusteredDistribution): Seq[Wish] =
    distinct(wishes.map { wish =>
      val keys = wish.keys.filter { k =>
        need.clustering.exists(_.semanticEquals(k)) || FunctionOfKeys(k, need.clustering)
      }
      Wish(unique(keys), wish.exact && keys.length == wish.keys.length)
    })

  /** Drops repetitions, keeping the first of each; exact where one of them is. */
  def distinct(wishes: Seq[Wish]): Seq[Wish] =
    wishes.foldLeft(Vector.empty[Wish]) { (kept, wish) =>
      kept.indexWhere(w => HashPartitionings.sameKeys(w.keys, wish.keys)) match {
        case _ if wish.keys.isEmpty => kept
        case -1 => kept :+ wish
        case at => kept.updated(at, kept(at).copy(exact = kept(at).exact || wish.exact))
      }
    }

  private def unique(keys: Seq[Expression]): Seq[Expression] =
    keys.foldLeft(Vector.empty[Expression]) { (kept, k) =>
      if (kept.exists(_.semanticEquals(k))) kept else kept :+ k
    }

  /** What a key of the operator's output is in terms of child `i`; None where it is not there. */
  private def translation(operator: SparkPlan, i: Int): Expression => Option[Expression] = {
    val child = operator.children(i)
    val step: Expression => Option[Expression] = operator match {
      case p: ProjectExec => through(p.projectList)
      case a: BaseAggregateExec if a.requiredChildDistributionExpressions.isDefined =>
        through(a.resultExpressions)
      case a: BaseAggregateExec => through(a.groupingExpressions)
      case j: BaseJoinExec => throughJoin(j, i)
      case _ => Some(_)
    }
    foundIn(child, step)
  }

  /** Only keys of which the child has all columns. */
  private def foundIn(
      child: SparkPlan,
      step: Expression => Option[Expression]): Expression => Option[Expression] = {
    lazy val there = child.outputSet
    key =>
      step(key).filter { k =>
        k.deterministic && k.references.nonEmpty && k.references.subsetOf(there)
      }
  }

  private def renamed(columns: Seq[(Attribute, Attribute)]): Expression => Option[Expression] = {
    val byId = columns.map { case (above, below) => above.exprId -> below }.toMap
    key =>
      key match {
        case a: Attribute => byId.get(a.exprId)
        case _ => None
      }
  }

  private def through(list: Seq[NamedExpression]): Expression => Option[Expression] = {
    val sources = list.collect { case alias @ Alias(source, _) => alias.exprId -> source }.toMap
    key =>
      Some(key.transformUp {
        case a: Attribute if sources.contains(a.exprId) => sources(a.exprId)
      })
  }

  private def throughJoin(join: BaseJoinExec, i: Int): Expression => Option[Expression] = {
    val (mine, other) =
      if (i == 0) (join.leftKeys, join.rightKeys) else (join.rightKeys, join.leftKeys)
    val here = join.children(i).outputSet
    key =>
      if (key.references.subsetOf(here)) Some(key)
      else HashPartitionings.positions(Seq(key), other).map(at => mine(at.head))
  }
}
