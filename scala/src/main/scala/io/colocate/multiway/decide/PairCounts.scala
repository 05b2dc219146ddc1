package io.colocate.multiway.decide

import scala.annotation.tailrec
import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Count, Sum}
import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DoubleType

import io.colocate.multiway.graph.{Joins, JoinShape, Region}
import io.colocate.rule.ColocateConf

/**
 * Counts the rows of a join of two inputs, if no statistics show them: for each value of their keys, its
 * frequency in one input times its frequency in the other, summed up.
 *
 * {{{
 *   Aggregate [sum(rows * rows'), sum(rows), sum(rows')]
 *   +- Join FullOuter (dst = src')
 *      :- Aggregate [dst], [dst, count(1) AS rows]
 *      :  +- Relation edges a
 *      +- Aggregate [src'], [src', count(1) AS rows']
 *         +- Relation edges b
 * }}}
 *
 * These are Spark jobs that run while a query is planned, also for explain(). So they run only if the
 * user allows them, and only over files and similar inputs within the allowed bytes. Pairs of small
 * inputs come first; counting ends with the first pair whose join does not grow.
 */
final private[multiway] class PairCounts(
    session: org.apache.spark.sql.SparkSession,
    conf: SQLConf) {

  private val limit = BigInt(ColocateConf.MultiwayCountBytes(conf))

  /**
   * The rows of the smallest join of two inputs, and the rows of all inputs. Every order of joins begins
   * with one of these, so none begins with fewer rows.
   *
   * @param grows whether the rows of a join are many for the rows of its inputs; if not, the rows are
   *              those of the inputs that have been counted so far
   * @return None if counting is not allowed
   */
  def leastJoin(shape: JoinShape, grows: (Double, Double) => Boolean): Option[(Double, Double)] =
    Option.when(allowed(shape.region.atoms))(new Counting(shape, grows).least)

  private def allowed(inputs: Seq[LogicalPlan]): Boolean = limit > 0 &&
    inputs.forall(PairCounts.readable) &&
    inputs.distinctBy(_.canonicalized).map(PairCounts.bytes).sum <= limit

  /** The counts of one region. */
  final private class Counting(shape: JoinShape, grows: (Double, Double) => Boolean) {

    private val known = mutable.Map.empty[(LogicalPlan, LogicalPlan), Pair]
    private val rows = mutable.Map.empty[Int, Double]

    private val (connected, others) =
      shape.region.atoms.indices.combinations(2).map(pair => (pair.head, pair.last)).toList
        .partition { case (a, b) => common(a, b).nonEmpty }

    private def common(a: Int, b: Int): Set[Int] =
      shape.graph.edges(a).intersect(shape.graph.edges(b))

    def least: (Double, Double) = {
      val found = joined(connected.sortBy(bytes), Double.PositiveInfinity)
      // Inputs without a common variable make a row of every two rows.
      val products = for ((a, b) <- others; l <- rows.get(a); r <- rows.get(b)) yield l * r
      (products.foldLeft(found)(_.min(_)), rows.values.sum)
    }

    private def bytes(pair: (Int, Int)): BigInt =
      PairCounts.bytes(shape.inputs(pair._1)) + PairCounts.bytes(shape.inputs(pair._2))

    @tailrec
    private def joined(pairs: List[(Int, Int)], least: Double): Double = pairs match {
      case (a, b) :: rest if grows(least, rows.values.sum) =>
        val counted = count(a, b)
        rows ++= Seq(a -> counted.left, b -> counted.right)
        joined(rest, least.min(counted.joined))
      case _ => least
    }

    private def count(a: Int, b: Int): Pair = {
      val variables = common(a, b).toSeq.sorted
      val (left, right) = (degrees(a, variables), degrees(b, variables))
      val pair = (left.canonicalized, right.canonicalized)
      known.get(pair).orElse(known.get(pair.swap).map(_.swap)).getOrElse {
        val counted = run(left, right)
        known += pair -> counted
        counted
      }
    }

    /** The frequency of each value of an input's keys for some variables. */
    private def degrees(input: Int, variables: Seq[Int]): Aggregate = {
      val keys = variables.map(shape.keys(input, _))
      val equal = keys.flatMap(same => same.tail.map(EqualTo(same.head, _)))
      val named = keys.map(_.head).map(Alias(_, "key")())
      val rows = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
      Aggregate(keys.map(_.head), named :+ rows, Joins.filtered(shape.inputs(input), equal))
    }
  }

  private case class Pair(left: Double, right: Double, joined: Double) {
    def swap: Pair = Pair(right, left, joined)
  }

  private def run(left: Aggregate, right: Aggregate): Pair = {
    val on = left.output.init.zip(right.output.init)
      .map[Expression] { case (l, r) => EqualTo(l, r) }.reduceOption(And(_, _))
    val both = Join(left, right, FullOuter, on, JoinHint.NONE)
    val (l, r) = (Cast(left.output.last, DoubleType), Cast(right.output.last, DoubleType))
    val sums = Seq(l, r, Multiply(l, r))
      .map(rows => Alias(Sum(rows).toAggregateExpression(), "rows")())
    val query =
      session.asInstanceOf[SparkSession].sessionState.executePlan(Aggregate(Nil, sums, both))
    val found = SQLExecution.withNewExecutionId(query, Some("Colocate counts join keys"))(
      query.executedPlan.executeCollect().head)
    def sum(i: Int): Double = if (found.isNullAt(i)) 0 else found.getDouble(i)
    Pair(sum(0), sum(1), sum(2))
  }
}

private[multiway] object PairCounts {

  /** True for files and similar inputs of known size, below at most filters and projections. */
  private def readable(input: LogicalPlan): Boolean = input match {
    case Filter(condition, child) => Region.simple(condition) && readable(child)
    case Project(list, child) => list.forall(Region.simple) && readable(child)
    case _ => input.isInstanceOf[LeafNode]
  }

  private def bytes(input: LogicalPlan): BigInt = input.collectLeaves().head.stats.sizeInBytes
}
