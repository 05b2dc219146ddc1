package io.colocate.multiway.decide

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.colocate.facts.expressions.Equalities

/**
 * The rows of an input, and the distinct values of its keys by variable, if both are known from an
 * analysed table. A filter that drops an unknown share of the rows makes them unknown: too many rows
 * would make a join look worse than it is.
 *
 * @param bounds variables that may have fewer values
 */
final private[multiway] case class InputSize(
    rows: Double,
    distinct: Map[Int, Double],
    bounds: Set[Int] = Set.empty)

private[multiway] object InputSize {

  def of(plan: LogicalPlan, keys: Map[Int, Expression]): Option[InputSize] =
    for {
      (stats, names) <- statistics(plan)
      rows <- stats.rowCount.map(_.toDouble)
      distinct = keys.flatMap { case (v, key) =>
        for {
          column <- key.references.headOption
          stat <- stats.attributeStats.get(names.getOrElse(column, column))
          count <- stat.distinctCount
        } yield v -> count.toDouble.max(1)
      }
      if distinct.size == keys.size
    } yield InputSize(rows.max(1), distinct)

  private type Names = AttributeMap[Attribute]

  private def statistics(plan: LogicalPlan): Option[(Statistics, Names)] = plan match {
    case r: LogicalRelation =>
      r.catalogTable.flatMap(_.stats).map(s =>
        (s.toPlanStats(r.output, planStatsEnabled = true), none))
    case Filter(condition, child)
        if Equalities.conjuncts(condition).forall(_.isInstanceOf[IsNotNull]) =>
      statistics(child)
    case Project(list, child) =>
      statistics(child).map { case (stats, names) =>
        val renamed = list.collect { case a @ Alias(column: Attribute, _) =>
          a.toAttribute -> names.getOrElse(column, column)
        }
        (stats, AttributeMap(names.toSeq ++ renamed))
      }
    case _ => None
  }

  private val none: Names = AttributeMap.empty
}

/** The sizes of joins of two inputs each. */
private[multiway] object BinaryPlans {

  /**
   * The rows of the largest intermediate result of the best left-deep order. Only parts of cycles count:
   * a whole cycle does not, as every plan makes it, and neither does a single input. The size of a join
   * is estimated as usual: the product of the inputs, divided for each variable by the distinct values
   * of all inputs that have it, except the one with the fewest.
   *
   * @param cycles the inputs of each cycle, by number; a cycle with other inputs than these is never whole
   * @param within the most inputs of a result whose rows can be estimated
   */
  def largestIntermediate(
      inputs: IndexedSeq[InputSize],
      cycles: Seq[Set[Int]],
      within: Int = Int.MaxValue): Double = {
    val made = logs(inputs)
    val parts = cycles.map(new Cycle(_, inputs.length))
    val best = Array.fill(made.length)(Double.PositiveInfinity)
    for (i <- inputs.indices) best(1 << i) = Double.NegativeInfinity
    var set = 1
    while (set < made.length) {
      val several = Integer.bitCount(set)
      if (several > 1) {
        val counts = several <= within && parts.exists(_.isCutBy(set))
        best(set) = withoutOne(set, best).max(if (counts) made(set) else Double.NegativeInfinity)
      }
      set += 1
    }
    math.exp(best.last)
  }

  /** A cycle as a number with a bit for each of its inputs. */
  final private class Cycle(of: Set[Int], inputs: Int) {
    private val bits = of.filter(_ < inputs).map(1 << _).sum
    private val asksMore = of.exists(_ >= inputs)

    /** True for a set with some inputs of the cycle, but not all. */
    def isCutBy(set: Int): Boolean = (set & bits) != 0 && (asksMore || (set & bits) != bits)
  }

  /** The least value of a set without one of its inputs. */
  private def withoutOne(set: Int, values: Array[Double]): Double = {
    var least = Double.PositiveInfinity
    var left = set
    while (left != 0) {
      val one = Integer.lowestOneBit(left)
      least = least.min(values(set & ~one))
      left &= ~one
    }
    least
  }

  /** Logarithms of the rows of the join of each set of inputs, a number with a bit for each input. */
  private def logs(inputs: IndexedSeq[InputSize]): Array[Double] = {
    val rows = inputs.map(input => math.log(input.rows)).toArray
    val shared = inputs.flatMap(_.distinct.keys).distinct.map { v =>
      inputs.map(_.distinct.get(v).fold(-1.0)(math.log)).toArray
    }.toArray
    val having = shared.map(_.zipWithIndex.collect { case (log, i) if log >= 0 => 1 << i }.sum)
    val out = new Array[Double](1 << inputs.length)
    var set = 0
    while (set < out.length) {
      var log = sum(set, rows)
      var v = 0
      while (v < shared.length) {
        val common = set & having(v)
        if (Integer.bitCount(common) > 1) log -= sum(common, shared(v)) - least(common, shared(v))
        v += 1
      }
      out(set) = log
      set += 1
    }
    out
  }

  private def sum(set: Int, of: Array[Double]): Double = {
    var total = 0.0
    var left = set
    while (left != 0) {
      total += of(Integer.numberOfTrailingZeros(left))
      left &= left - 1
    }
    total
  }

  private def least(set: Int, of: Array[Double]): Double = {
    var least = Double.PositiveInfinity
    var left = set
    while (left != 0) {
      least = least.min(of(Integer.numberOfTrailingZeros(left)))
      left &= left - 1
    }
    least
  }
}
