package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeLike, REPARTITION_BY_COL, REPARTITION_BY_NUM}

import io.colocate.exchange.partitioning.{Layouts, LayoutStub, Need}
import io.colocate.facts.expressions.FunctionOfKeys

/**
 * The cheapest ways to lay out the rows of every operator of a plan.
 *
 * Dynamic programming over "interesting" layouts, as in System R's interesting orders and in PDW
 * (Shankar et al., SIGMOD 2012): wishes go down ([[Wanted]]), and on the way up each operator keeps
 * its cheapest choice for each layout that somebody above wishes, with a shuffle as the enforcer.
 * What an operator makes of its children's layouts is asked of Spark ([[LayoutStub]]), so the search
 * can miss a chance but cannot believe in a layout that Spark would not.
 *
 * It is bounded: at most `limit` choices and wishes for each operator.
 */
final class Search(context: SearchContext) {
  import context._

  private val together = new TogetherSearch(context, choices)
  private val aligned = new AlignedSearch(context, choices)
  private val unions = new UnionSearch(context, choices)
  private val equalColumns = new EqualColumns(facts)

  /** The cheapest choice for a whole plan. */
  def best(plan: SparkPlan): Choice = choices(plan, Nil).minBy(_.cost)

  private def choices(operator: SparkPlan, wishes: Seq[Wish]): Seq[Choice] = {
    val needs = Need.of(operator)
    val found =
      if (isFixed(operator)) fixed(operator, wishes)
      else if (needs.exists(_.isInstanceOf[Need.Aligned])) aligned.of(operator, needs, wishes)
      else
        operator match {
          case union: UnionExec => unions.of(union, wishes)
          case _ => independent(operator, needs, wishes)
        }
    prune(found.flatMap(equalColumns.alternatives(_, wishes)), wishes)
  }

  // Leaves, and the user's own repartition: the layout is given.

  private def isFixed(operator: SparkPlan): Boolean = operator match {
    case s: ShuffleExchangeLike =>
      s.shuffleOrigin == REPARTITION_BY_COL || s.shuffleOrigin == REPARTITION_BY_NUM
    case leaf => leaf.children.isEmpty
  }

  private def fixed(operator: SparkPlan, wishes: Seq[Wish]): Seq[Choice] = {
    val links = operator.children.map(c => Link(choices(c, Nil).minBy(_.cost), None))
    val layout = operator match {
      case leaf if leaf.children.isEmpty => leaf.outputPartitioning
      case shuffle => LayoutStub.layoutOf(shuffle, links.map(_.layout))
    }
    val plain = Choice(operator, links, layout, links.map(_.cost).sum)
    val claimable =
      wishes.nonEmpty && !plain.hasUsersNumber && Layouts.hashes(layout).exists(h => !h.co)
    if (claimable) Seq(plain, plain.claiming(Claim(Nil, shared = true))) else Seq(plain)
  }

  // Operators whose children do not depend on each other's layout.

  private def independent(operator: SparkPlan, needs: Seq[Need], wishes: Seq[Wish]): Seq[Choice] = {
    val options = operator.children.indices.map(i => links(operator, i, needs(i), wishes))
    val cheapest = options.map(_.minBy(_.cost))
    // One child at a time departs from its cheapest link.
    val combinations = cheapest +: options.zipWithIndex.flatMap { case (others, i) =>
      others.filterNot(_ eq cheapest(i)).map(other => cheapest.updated(i, other))
    }
    combinations.map(Choice.of(operator, _))
  }

  private def links(operator: SparkPlan, i: Int, need: Need, wishes: Seq[Wish]): Seq[Link] = {
    val child = operator.children(i)
    lazy val below = wishesBelow(operator, i, wishes)
    need match {
      case Need.Free => choices(child, below).map(Link(_, None))
      case Need.Together(distribution) => together.links(operator, i, distribution, below)
      case Need.Given(_: BroadcastDistribution) =>
        // Planned already, as a query of its own.
        Seq(Link(Choice(child, Nil, UnknownPartitioning(1), 0.0), None))
      case Need.Given(distribution) =>
        val only = choices(child, Nil).minBy(_.cost)
        Seq(Link(only, givenExchange(only, distribution)))
      case Need.Aligned(_) => throw new IllegalStateException("handled by aligned")
    }
  }

  /** The shuffle that Spark adds where there is only one way, for the cost and the layout. */
  private def givenExchange(below: Choice, asked: Distribution): Option[PlannedExchange] =
    asked match {
      case _ if below.layout.satisfies(asked) => None
      case _ =>
        val layout =
          asked.createPartitioning(asked.requiredNumPartitions.getOrElse(usualPartitions))
        val moved = cost.shuffle(below.operator, Nil, layout.numPartitions)
        Some(PlannedExchange(layout, moved, emitted = false))
    }

  /** The cheapest choice for each layout that somebody wishes, and the cheapest of the rest. */
  private def prune(found: Seq[Choice], wishes: Seq[Wish]): Seq[Choice] = {
    if (found.length <= 1) found
    else {
      val byLayout = found.groupBy(c => described(c.layout, wishes))
      byLayout.values.map(_.minBy(_.cost)).toSeq.sortBy(_.cost).take(limit)
    }
  }

  private def described(layout: Partitioning, wishes: Seq[Wish]): Set[Any] = {
    val useful = Layouts.hashes(layout).filter { h =>
      wishes.exists(w => h.keys.forall(isAmong(_, w.keys)))
    }
    if (useful.isEmpty) Set[Any](layout == SinglePartition)
    else useful.map(h => (h.keys.map(_.canonicalized), h.n, h.co)).toSet
  }

  /** Rows hashed on functions of the wished keys lie together for them too. */
  private def isAmong(key: Expression, wished: Seq[Expression]): Boolean =
    wished.exists(_.semanticEquals(key)) || FunctionOfKeys(key, wished)
}
