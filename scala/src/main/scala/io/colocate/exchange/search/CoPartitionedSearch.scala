package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.memory.Narrowed
import io.colocate.exchange.partitioning.{AllKeys, HashPartitionings, PartitioningStub, Requirement, UsersRepartition}
import io.colocate.report.Reason

/**
 * The alternatives for an operator that requires its children partitioned alike: a shuffled join, a
 * cogroup. An alignment says on which of the keys all children are hashed, in which order, in how many
 * partitions; children already partitioned so stay, the others are shuffled.
 */
final class CoPartitionedSearch(
    context: SearchContext,
    choices: (SparkPlan, Seq[Wish]) => Seq[Alternative]) {
  import context._

  def of(operator: SparkPlan, needs: Seq[Requirement], wishes: Seq[Wish]): Seq[Alternative] = {
    val asked = needs.collect { case Requirement.Aligned(distribution) => distribution }
    if (asked.length < needs.length) Seq(leftToSpark(operator))
    else alignedOn(operator, asked, wishes)
  }

  private def alignedOn(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      wishes: Seq[Wish]): Seq[Alternative] = {
    val wanted = operator.children.indices.map { i =>
      InterestingPartitionings.within(wishesBelow(operator, i, wishes), asked(i))
    }
    val available = operator.children.indices.map { i =>
      choices(operator.children(i), passedDown(operator, i, asked, wanted))
    }
    val beneath = operator.children.indices.map { i =>
      UsersRepartition.replaced(operator, i, operator.children(i)).fold(Seq.empty[Alternative]) {
        choices(_, passedDown(operator, i, asked, wanted))
      }
    }
    val children = available.zip(beneath).map { case (there, rows) => Child(there, rows) }
    val cheapest = children.map(_.cheapest)
    if (cheapest.forall(_.partitioning == SinglePartition) || available.exists(isKeyed))
      Seq(Alternative.of(operator, cheapest.map(Edge(_, None))))
    else {
      val open = alignments(operator, asked, wanted, children)
      val kept = settled.positions(operator, asked)
        .fold(open)(at => preferring(open)(_.positions == at))
      val found = kept.flatMap(align(operator, asked, children, _, wishes.nonEmpty))
      if (found.isEmpty) Seq(leftToSpark(operator)) else found
    }
  }

  /**
   * The alternatives of a child.
   *
   * @param available the alternatives of the child itself
   * @param beneath   those of the rows below a user's repartition that a shuffle replaces
   */
  private case class Child(available: Seq[Alternative], beneath: Seq[Alternative]) {
    val cheapest: Alternative = available.minBy(_.cost)

    /** The rows that a shuffle added by Colocate moves. */
    val moved: Alternative = beneath.minByOption(_.cost).getOrElse(cheapest)
    def all: Seq[Alternative] = available ++ beneath
  }

  private def isKeyed(choices: Seq[Alternative]): Boolean =
    choices.exists(c =>
      HashPartitionings.members(c.partitioning).exists(_.isInstanceOf[KeyedPartitioning]))

  private def leftToSpark(operator: SparkPlan): Alternative = {
    val links = operator.children.map(c => Edge(choices(c, Nil).minBy(_.cost), None))
    Alternative(operator, links, UnknownPartitioning(0), links.map(_.cost).sum)
  }

  /**
   * The interesting partitionings for a child of an aligned operator: its own, the required keys, and the
   * interesting partitionings and grouping keys of its siblings.
   */
  private def passedDown(
      operator: SparkPlan,
      i: Int,
      asked: Seq[ClusteredDistribution],
      wanted: Seq[Seq[Wish]]): Seq[Wish] = {
    val mine = asked(i).clustering
    def toMine(j: Int, keys: Seq[Expression]) =
      keys.flatMap(k =>
        HashPartitionings.positions(Seq(k), asked(j).clustering).map(at => mine(at.head)))
    def suggested(keys: Seq[Expression]) = Wish(keys, exact = false, computed = true)
    val siblings = operator.children.indices.filter(_ != i)
    val fromWishes = siblings.flatMap(j => wanted(j).map(w => suggested(toMine(j, w.keys))))
    val fromOffers =
      siblings.flatMap(j =>
        GroupingKeysBelow(operator.children(j)).map(k => suggested(toMine(j, k))))
    InterestingPartitionings.distinct(wanted(i) ++ fromWishes ++ (Wish.own(mine) +: fromOffers))
      .take(limit)
  }

  /**
   * @param positions which of the required keys are hashed, in which order
   * @param exact     the children for which it is an exact interesting partitioning
   * @param users     true if the user has asked for this number of partitions
   */
  private case class Alignment(
      positions: Seq[Int],
      n: Int,
      exact: Set[Int] = Set.empty,
      users: Boolean = false)

  private def alignments(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      wanted: Seq[Seq[Wish]],
      children: Seq[Child]): Seq[Alignment] = {
    val n = asked.flatMap(_.requiredNumPartitions).headOption.getOrElse(usualPartitions)
    val all = Alignment(asked.head.clustering.indices, n)
    if (asked.exists(_.requiredNumPartitions.isDefined)) Seq(all)
    else if (asked.exists(_.requireAllClusterKeys) || AllKeys.setForJoins(conf)) {
      for {
        (wishes, a) <- wanted.zip(asked)
        wish <- wishes if !HashPartitionings.sameKeys(wish.keys, a.clustering)
      } refuse(operator, a.clustering, AllKeys.reason(wish.keys, a))
      Seq(all)
    } else {
      val wished = for {
        ((wishes, a), i) <- wanted.zip(asked).zipWithIndex
        wish <- wishes
        at <- HashPartitionings.positions(wish.keys, a.clustering)
      } yield Alignment(at, n, Option.when(wish.exact)(i).toSet)
      val delivered = children.zip(asked).map { case (child, a) => inPlace(child.all, a) }
      // As in Spark, a side in fewer partitions gives way to one in more, unless all sides have that
      // number.
      val most = delivered.flatten.map(_.n).maxOption
      val kept = delivered.flatten.filter { d =>
        most.contains(d.n) || delivered.forall(_.exists(_.n == d.n))
      }
      (all +: (wished ++ kept)).groupBy(a => (a.positions, a.n)).values
        .map { same =>
          same.head.copy(exact = same.flatMap(_.exact).toSet, users = same.exists(_.users))
        }.toSeq
        .sortBy(a => (a.positions != all.positions, a.n != n, a.positions.mkString(",")))
        .take(limit)
    }
  }

  /** The alignments that a child's rows already have. */
  private def inPlace(choices: Seq[Alternative], asked: ClusteredDistribution): Seq[Alignment] =
    for {
      choice <- choices
      hashed <- HashPartitionings.hashes(choice.partitioning)
      at <- HashPartitionings.positions(hashed.keys, asked.clustering)
      if hashed.co || at.distinct.length == asked.clustering.length
    } yield Alignment(at, hashed.n, users = choice.hasUsersNumber)

  private def align(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      children: Seq[Child],
      alignment: Alignment,
      wished: Boolean): Seq[Alternative] = {
    val keys = asked.map(a => alignment.positions.map(a.clustering))
    val subset = alignment.positions.distinct.length < asked.head.clustering.length
    val evidence =
      if (!subset) operator.children.map(_ => None)
      else
        operator.children.indices.map { i =>
          admit(operator, operator.children(i), keys(i), asked(i).clustering, alignment.n,
            alignment.exact(i))
        }
    if (subset && evidence.exists(_.isEmpty)) Nil
    else {
      val usual = alignment.positions == asked.head.clustering.indices.toSeq &&
        alignment.n == usualPartitions
      // In the user's number of partitions, a partitioning serves no more operators than it does in Spark.
      val variants =
        if (alignment.users) Seq(true) else if (usual && wished) Seq(true, false) else Seq(usual)
      variants.map { plain =>
        alignedLinks(operator, asked, children, alignment, keys, evidence, plain)
      }
    }
  }

  private def alignedLinks(
      operator: SparkPlan,
      asked: Seq[ClusteredDistribution],
      children: Seq[Child],
      alignment: Alignment,
      keys: Seq[Seq[Expression]],
      evidence: Seq[Option[Reason]],
      plain: Boolean): Alternative = {
    val n = alignment.n
    val links = operator.children.indices.map { i =>
      val child = operator.children(i)
      sharing.consider(child, keys(i))
      val inPlace =
        children(i).all.filter(c => HashPartitionings.lies(c.partitioning, keys(i), n, !plain))
      val pinned = if (sharing.allows(child, keys(i))) 0.0 else CoPartitionedSearch.Forbidden
      val moved = shuffle(child, keys(i), n) + pinned
      val shuffled = PlannedExchange.hashing(keys(i), n, moved, usual = plain,
        addedBySpark = !children(i).cheapest.withdrawn, wished = false)
      val narrowed =
        evidence(i).map(Narrowed(operator.nodeName, asked(i).clustering, keys(i), _))
      (inPlace.map(left(_, narrowed)) ++
        shuffled.map { x =>
          Edge(if (x.emitted) children(i).moved else children(i).cheapest, Some(x), narrowed)
        }).minBy(_.cost)
    }
    val narrow = operator.children.map(cost.fewPartitions(_, n, usualPartitions)).sum
    val split = skew.splits(operator, links)
    val partitioning =
      if (split) UnknownPartitioning(n)
      else PartitioningStub.partitioningOf(operator, links.map(_.partitioning))
    Alternative(operator, links, partitioning, links.map(_.cost).sum + narrow, split = split)
  }
}

object CoPartitionedSearch {

  /** More than the cost of any plan: for a shuffle that a pin rules out. */
  private val Forbidden = 1e18
}
