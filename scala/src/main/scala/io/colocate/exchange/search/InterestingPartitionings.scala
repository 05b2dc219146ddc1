package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.claims.Normalised
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.expressions.{EitherKey, FunctionOfKeys}
import io.colocate.facts.proved.KeyBelow

/**
 * A partitioning that an operator above can use.
 *
 * @param keys     the expressions to hash, in order
 * @param exact    true if Spark alone would hash these rows, or more, on exactly these keys: then a
 *                 shuffle on them adds no new risk
 * @param computed true if Spark alone computes the keys for the values of all these rows: then a shuffle on
 *                 them fails only where the query fails
 */
final case class Wish(keys: Seq[Expression], exact: Boolean, computed: Boolean)

object Wish {

  /** The keys that an operator itself requires. */
  def own(keys: Seq[Expression]): Wish = Wish(keys, exact = true, computed = true)
}

/**
 * Passes interesting partitionings down the plan.
 *
 * On its way down a key is replaced by the expression that computes it. A key that cannot be expressed
 * below (a sum, a column of the other side) is dropped, and the remaining keys still help: rows hashed on
 * fewer keys are together for more operators. These are suggestions only. Spark always decides whether a
 * partitioning satisfies an operator.
 */
object InterestingPartitionings {

  /** The interesting partitionings of an operator's output, in terms of the output of its child `i`. */
  def below(
      operator: SparkPlan,
      i: Int,
      wishes: Seq[Wish],
      keepsRows: Boolean,
      keepsValues: Boolean): Seq[Wish] =
    if (wishes.isEmpty) Nil
    else {
      val translate = translation(operator, i)
      distinct(wishes.map(told(_, translate, keepsRows, keepsValues)))
    }

  /** Each interesting partitioning of the output of a union, in terms of each branch in turn. */
  def branches(union: UnionExec, wishes: Seq[Wish]): Seq[Seq[Wish]] =
    if (wishes.isEmpty) union.children.map(_ => Nil)
    else {
      val output = union.output
      union.children.map { child =>
        val translate = KeyBelow.foundIn(child, renamed(output.zip(child.output)))
        wishes.map(told(_, translate, keepsRows = true, keepsValues = true))
      }
    }

  private def told(
      wish: Wish,
      translate: Expression => Option[Expression],
      keepsRows: Boolean,
      keepsValues: Boolean): Wish = {
    val keys = wish.keys.flatMap(translate(_))
    Wish(keys, wish.exact && keepsRows && keys.length == wish.keys.length,
      wish.computed && keepsValues)
  }

  /**
   * The part of each interesting partitioning that satisfies the operator's own requirement, in the
   * original order. A required key that is a function of the interesting ones serves both: a join on
   * `a + 1` may be hashed on that for a grouping by `a` above it.
   */
  def within(wishes: Seq[Wish], need: ClusteredDistribution): Seq[Wish] =
    distinct(wishes.flatMap { wish =>
      val asked =
        wish.keys.map(key => need.clustering.find(Normalised.isComparedBy(_, key)).getOrElse(key))
      val keys = unique(asked.filter(serves(_, need.clustering, wish.computed)))
      val serving = need.clustering.filter(FunctionOfKeys(_, wish.keys))
      val own = wish.copy(keys, wish.exact && keys.length == wish.keys.length)
      val both = wish.copy(unique(keys ++ serving), exact = false)
      if (serving.isEmpty) Seq(own) else Seq(own, both)
    })

  private def serves(key: Expression, required: Seq[Expression], computed: Boolean): Boolean =
    required.exists(_.semanticEquals(key)) ||
      FunctionOfKeys(key, required) && (computed || FunctionOfKeys.neverFails(key))

  /** Drops repetitions, keeping the first of each, with what holds of any of them. */
  def distinct(wishes: Seq[Wish]): Seq[Wish] =
    wishes.foldLeft(Vector.empty[Wish]) { (kept, wish) =>
      kept.indexWhere(w => HashPartitionings.sameKeys(w.keys, wish.keys)) match {
        case _ if wish.keys.isEmpty => kept
        case -1 => kept :+ wish
        case at =>
          val same = kept(at)
          kept.updated(at,
            same.copy(exact = same.exact || wish.exact, computed = same.computed || wish.computed))
      }
    }

  private def unique(keys: Seq[Expression]): Seq[Expression] =
    keys.foldLeft(Vector.empty[Expression]) { (kept, k) =>
      if (kept.exists(_.semanticEquals(k))) kept else kept :+ k
    }

  /** A key of the operator's output in terms of child `i`; None if the child does not have it. */
  private def translation(operator: SparkPlan, i: Int): Expression => Option[Expression] =
    operator match {
      case join: BaseJoinExec => KeyBelow.foundIn(join.children(i), throughJoin(join, i))
      case other => KeyBelow(other, i)
    }

  private def renamed(columns: Seq[(Attribute, Attribute)]): Expression => Option[Expression] = {
    val byId = columns.map { case (above, below) => above.exprId -> below }.toMap
    key =>
      key match {
        case a: Attribute => byId.get(a.exprId)
        case _ => None
      }
  }

  private def throughJoin(join: BaseJoinExec, i: Int): Expression => Option[Expression] = {
    val (mine, other) =
      if (i == 0) (join.leftKeys, join.rightKeys) else (join.rightKeys, join.leftKeys)
    val here = join.children(i).outputSet
    key =>
      if (key.references.subsetOf(here)) Some(key)
      else
        HashPartitionings.positions(Seq(key), other).map(at => mine(at.head)).orElse {
          mine.zip(other).collectFirst { case (a, b) if EitherKey(key, a, b) => a }
        }
  }
}
