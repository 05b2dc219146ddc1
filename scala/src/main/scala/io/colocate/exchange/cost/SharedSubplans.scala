package io.colocate.exchange.cost

import java.util.IdentityHashMap

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{FileSourceScanLike, SparkPlan}

import io.colocate.exchange.partitioning.{HashPartitionings, Requirement}

/**
 * Subplans that occur more than once. Spark executes a shuffle above them once if all occurrences shuffle
 * alike.
 *
 * {{{
 *   WITH x AS (SELECT a, b, sum(c) s FROM t GROUP BY a, b)
 *   SELECT ... FROM (SELECT a, max(s) FROM x GROUP BY a) JOIN x ...
 * }}}
 *
 * Each use of x by itself would choose its own partitioning; two partitionings mean two shuffles and two
 * scans. A search with a pin gives all occurrences of one subplan the same partitioning, and each
 * occurrence bears a part of the cost of a shuffle above a shared subplan.
 */
final class SharedSubplans private (
    leaves: IdentityHashMap[SparkPlan, Integer],
    groups: IdentityHashMap[SparkPlan, Integer],
    sizes: Map[Int, Int],
    within: Map[Int, Int],
    pins: Map[Int, Seq[Int]]) {

  private val seen = mutable.LinkedHashMap.empty[Int, mutable.LinkedHashSet[Seq[Int]]]

  /**
   * What all plans equal to this part have in common; None if none can occur elsewhere in the plan. A user's
   * repartition may occur elsewhere even though no operator requires it and it is in no group.
   */
  private[cost] def likeness(part: SparkPlan): Option[Any] = if (leaves.isEmpty) None
  else {
    val below = part.collectLeaves().map(leaves.get)
    Option.when(!below.contains(null))((part.getClass, part.output.map(_.dataType), below))
  }

  /**
   * The groups whose occurrences these shuffles partition differently, or of which they shuffle only some.
   * If there are none, a search without pins has found the optimum: its costs assume that all agree.
   *
   * @param shuffles each with the operator whose rows it moves
   */
  def disagreeing(shuffles: Seq[(SparkPlan, Partitioning)]): Set[Int] = {
    val found = shuffles.flatMap { case (operator, partitioning) =>
      val hashed = HashPartitionings.hashes(partitioning).headOption
      group(operator).map(_ -> hashed.map(h => (ordinals(operator, h.keys), h.n, h.co)))
    }
    found.groupMap(_._1)(_._2).collect {
      case (g, partitionings)
          if partitionings.distinct.length > 1 || partitionings.length < sizes(g) =>
        g
    }.toSet
  }

  /** The groups of equal subplans, and the partitionings considered for each, as output ordinals. */
  def considered: Seq[(Int, Seq[Seq[Int]])] = seen.toSeq.map { case (g, keys) => g -> keys.toSeq }

  /** The same, but with all occurrences of one subplan shuffled on these columns of its output. */
  def withPin(group: Int, keys: Seq[Int]): SharedSubplans =
    new SharedSubplans(leaves, groups, sizes, within, pins + (group -> keys))

  /** How often the rows of this operator are needed. */
  def uses(operator: SparkPlan): Double = group(operator).fold(1.0)(sizes(_).toDouble)

  /**
   * How often the rows of this operator would be computed without a shuffle to keep them. If all its
   * occurrences are below a shared shuffle, that shuffle keeps the rows computed from them.
   */
  def computed(operator: SparkPlan): Double =
    group(operator).fold(1.0)(g => sizes(g).toDouble / within.getOrElse(g, 1))

  /** Notes a partitioning that the search considers for the operator's rows. */
  def consider(operator: SparkPlan, keys: Seq[Expression]): Unit = group(operator).foreach { g =>
    seen.getOrElseUpdate(g, mutable.LinkedHashSet.empty) += ordinals(operator, keys)
  }

  /** True if a shuffle of the operator's rows on these keys keeps all occurrences alike. */
  def allows(operator: SparkPlan, keys: Seq[Expression]): Boolean =
    group(operator).flatMap(pins.get).forall(_ == ordinals(operator, keys))

  private def group(operator: SparkPlan): Option[Int] = Option(groups.get(operator)).map(_.toInt)

  private def ordinals(operator: SparkPlan, keys: Seq[Expression]): Seq[Int] =
    keys.map(k => operator.output.indexWhere(_.semanticEquals(k)))
}

object SharedSubplans {

  /** Bounds of the search for pins: groups, and partitionings of each. */
  val MostGroups = 4
  val MostPartitionings = 4

  /**
   * Finds the equal subplans above which a shuffle may be placed.
   *
   * @param reused false if Spark runs equal shuffles again (spark.sql.exchange.reuse)
   */
  def of(plan: SparkPlan, reused: Boolean): SharedSubplans = {
    val leaves = numbered(if (reused) repeated(plan.collectLeaves()) else Nil)
    val edges = if (leaves.isEmpty) Nil else shuffled(plan)
    val groups = repeated(edges.filter(_.collectLeaves().forall(leaves.containsKey)))
    val sizes = groups.zipWithIndex.map { case (members, g) => g -> members.length }.toMap
    val numbers = numbered(groups)
    new SharedSubplans(leaves, numbers, sizes, enclosing(plan, numbers, sizes), Map.empty)
  }

  /** For each group that occurs inside others, the size of the nearest. */
  private def enclosing(
      plan: SparkPlan,
      numbers: IdentityHashMap[SparkPlan, Integer],
      sizes: Map[Int, Int]): Map[Int, Int] = {
    def walk(operator: SparkPlan, size: Int): Seq[(Int, Int)] = {
      val group = Option(numbers.get(operator)).map(_.toInt)
      val below = group.fold(size)(sizes)
      group.map(_ -> size).toSeq ++ operator.children.flatMap(walk(_, below))
    }
    // A group may also occur outside all others.
    if (sizes.isEmpty) Map.empty else walk(plan, 1).groupMapReduce(_._1)(_._2)(_ min _)
  }

  /** The inputs that an operator requires to be hash-partitioned. */
  private def shuffled(plan: SparkPlan): Seq[SparkPlan] = plan.collect { case p =>
    p.children.zip(Requirement.of(p)).collect {
      case (child, Requirement.Together(_) | Requirement.Aligned(_)) => child
    }
  }.flatten

  /**
   * The plans that occur more than once. Comparing columns and constants first avoids computing most canonical
   * forms.
   */
  private def repeated(plans: Seq[SparkPlan]): Seq[Seq[SparkPlan]] =
    several(plans)(p => (p.getClass, p.output.map(_.dataType), stored(p)))
      .flatMap(several(_)(_.canonicalized))

  /**
   * The names of the columns in their files, which a query's aliases do not change, and the constants that
   * they are compared with.
   */
  private def stored(plan: SparkPlan): (Seq[String], Set[Literal]) = plan match {
    case scan: FileSourceScanLike =>
      val compared = scan.dataFilters.flatMap(_.collect { case literal: Literal => literal })
      (scan.output.map(_.name), compared.toSet)
    case _ => (Nil, Set.empty)
  }

  private def several[K](plans: Seq[SparkPlan])(key: SparkPlan => K): Seq[Seq[SparkPlan]] =
    plans.groupBy(key).values.filter(_.length > 1).toSeq

  private def numbered(groups: Seq[Seq[SparkPlan]]): IdentityHashMap[SparkPlan, Integer] = {
    val numbers = new IdentityHashMap[SparkPlan, Integer]
    groups.zipWithIndex.foreach { case (members, g) => members.foreach(numbers.put(_, g)) }
    numbers
  }
}
