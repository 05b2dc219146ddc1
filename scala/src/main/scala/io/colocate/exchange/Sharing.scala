package io.colocate.exchange

import java.util.IdentityHashMap

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.reason.Reason

/**
 * Subplans that occur more than once, so that Spark executes a shuffle above them once if all
 * occurrences shuffle alike.
 *
 * {{{
 *   WITH x AS (SELECT a, b, sum(c) s FROM t GROUP BY a, b)
 *   SELECT ... FROM (SELECT a, max(s) FROM x GROUP BY a) JOIN x ...
 * }}}
 *
 * Each use of x alone would choose its own layout; two layouts are two shuffles and two scans. A
 * search with a pin gives all occurrences of one subplan one layout, and a shuffle above a shared
 * subplan costs each occurrence its part.
 */
final class Sharing private (
    groups: IdentityHashMap[SparkPlan, Integer],
    sizes: Map[Int, Int],
    pins: Map[Int, Seq[Int]]) {

  private val seen = mutable.LinkedHashMap.empty[Int, mutable.LinkedHashSet[Seq[Int]]]

  def nonEmpty: Boolean = sizes.nonEmpty

  /** The groups of equal subplans, and the layouts considered for each, as output ordinals. */
  def considered: Seq[(Int, Seq[Seq[Int]])] = seen.toSeq.map { case (g, keys) => g -> keys.toSeq }

  /** The same, all occurrences of one subplan shuffled on these columns of its output. */
  def withPin(group: Int, keys: Seq[Int]): Sharing =
    new Sharing(groups, sizes, pins + (group -> keys))

  /** How often the rows of this operator are needed. */
  def uses(operator: SparkPlan): Double = group(operator).fold(1.0)(sizes(_).toDouble)

  /** True where a shuffle of the operator's rows on these keys keeps all occurrences alike. */
  def allows(operator: SparkPlan, keys: Seq[Expression]): Boolean = group(operator).forall { g =>
    val at = ordinals(operator, keys)
    seen.getOrElseUpdate(g, mutable.LinkedHashSet.empty) += at
    pins.get(g).forall(_ == at)
  }

  /** The keys that a pin leaves open; all of them where it would leave none. */
  def pinned(
      operator: SparkPlan,
      open: Seq[(Seq[Expression], Option[Reason])]): Seq[(Seq[Expression], Option[Reason])] =
    open.filter(o => allows(operator, o._1)) match {
      case Nil => open
      case some => some
    }

  private def group(operator: SparkPlan): Option[Int] = Option(groups.get(operator)).map(_.toInt)

  private def ordinals(operator: SparkPlan, keys: Seq[Expression]): Seq[Int] =
    keys.map(k => operator.output.indexWhere(_.semanticEquals(k)))
}

object Sharing {

  /** Bounds of the search for pins: groups, and layouts of each. */
  val MostGroups = 4
  val MostLayouts = 4

  def none: Sharing = new Sharing(new IdentityHashMap, Map.empty, Map.empty)

  /** Finds the equal subplans on whose top a shuffle may come. */
  def of(plan: SparkPlan): Sharing = {
    val leaves = plan.collectLeaves()
    if (leaves.map(_.canonicalized).distinct.length == leaves.length) none
    else {
      val edges = plan.collect { case p =>
        p.children.zip(Need.of(p)).collect { case (child, Need.Together(_) | Need.Aligned(_)) =>
          child
        }
      }.flatten
      val repeated = edges.groupBy(_.canonicalized).values.filter(_.length > 1).toSeq
      val groups = new IdentityHashMap[SparkPlan, Integer]
      repeated.zipWithIndex.foreach { case (members, g) => members.foreach(groups.put(_, g)) }
      new Sharing(groups, repeated.map(_.length).zipWithIndex.map(_.swap).toMap, Map.empty)
    }
  }
}
