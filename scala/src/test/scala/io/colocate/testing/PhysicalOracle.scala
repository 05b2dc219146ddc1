package io.colocate.testing

import java.util.Base64

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.joins.ShuffledJoin
import org.apache.spark.sql.types.{DoubleType, FloatType}

import io.colocate.exchange.partitioning.HashPartitionings

/**
 * Checks on real partitions that rows are where a plan says they are. For each operator that wants
 * rows with equal keys together, its child is run again, and each key must lie in one partition; for
 * a join both sides' rows with equal keys must lie in partitions of one number. Where the child says
 * that it is hashed, each row's hash must be the number of its partition: two sides may agree with
 * each other, and not with what is planned against that partitioning next. A coalesced partitioning numbers its
 * partitions otherwise and is held to the first two checks alone.
 */
object PhysicalOracle {

  /**
   * @param checked    operators whose children were looked at
   * @param violations what is in the wrong place
   */
  final case class Report(checked: Int, violations: Seq[String])

  /** Looks at a plan that was run. */
  def check(plan: SparkPlan): Report = {
    val found = Exchanges.nodes(plan).flatMap {
      case join: ShuffledJoin if join.isSkewJoin => None // Splits keys on purpose, one side copied.
      case join: ShuffledJoin => Some(joined(join))
      case other => clustered(other)
    }
    Report(found.size, found.flatten)
  }

  private def joined(join: ShuffledJoin): Seq[String] = {
    // A NULL key matches nothing; null-safe keys were rewritten and hold none.
    val left = look(join.left, join.leftKeys, nulls = false)
    val right = look(join.right, join.rightKeys, nulls = false)
    val apart = left.places.keySet.intersect(right.places.keySet)
      .filter(k => left.places(k) != right.places(k)).toSeq
      .map(k => s"a key is in ${left.places(k)} on the left and in ${right.places(k)} on the right")
    (left.torn ++ right.torn ++ apart ++ left.misplaced ++ right.misplaced).take(3)
      .map(v => s"$v, under ${head(join)}")
  }

  private def clustered(node: SparkPlan): Option[Seq[String]] = {
    val wanted = node.children.zip(node.requiredChildDistribution.map(together)).collect {
      case (child, keys) if keys.nonEmpty && !isPlainShuffle(child) =>
        val seen = look(child, keys, nulls = true)
        (seen.torn ++ seen.misplaced).take(3).map(v => s"$v, under ${head(node)}")
    }
    Option.when(wanted.nonEmpty)(wanted.flatten)
  }

  private def together(wanted: Distribution): Seq[Expression] = wanted match {
    case clustered: ClusteredDistribution => clustered.clustering
    case state: StatefulOpClusteredDistribution => state.expressions
    case _ => Nil
  }

  /**
   * @param places    for each key the partitions that hold it, for keys without a NULL or for all
   * @param elsewhere what the child says of its rows, and is not so
   */
  private case class Seen(places: Map[String, Set[Int]], elsewhere: Seq[HashPartitioning]) {
    def torn: Seq[String] = places.values.filter(_.size > 1)
      .map(p => s"a key is in partitions ${p.toSeq.sorted}").toSeq
    def misplaced: Seq[String] = elsewhere.map(hash => s"rows are not where $hash puts them")
  }

  /** Runs the child once for all that is to be known of it. */
  private def look(child: SparkPlan, keys: Seq[Expression], nulls: Boolean): Seen = {
    val said = saidOf(child)
    val (comparable, numbers) = (keys.map(bitwise), said.map(_.partitionIdExpression))
    val output = child.output
    val found = child.execute().mapPartitionsWithIndex { (i, rows) =>
      val (toKey, toNumbers) =
        (UnsafeProjection.create(comparable, output), UnsafeProjection.create(numbers, output))
      val (here, wrong) = (mutable.Set.empty[String], mutable.Set.empty[Int])
      rows.foreach { row =>
        val key = toKey(row)
        if (nulls || !key.anyNull) here += Base64.getEncoder.encodeToString(key.getBytes)
        val placed = toNumbers(row)
        wrong ++= numbers.indices.filter(placed.getInt(_) != i)
      }
      Iterator((i, here.toSet, wrong.toSet))
    }.collect().toSeq
    val places = found.flatMap { case (i, here, _) => here.toSeq.map(_ -> i) }
    Seen(places.groupMap(_._1)(_._2).view.mapValues(_.toSet).toMap,
      found.flatMap(_._3).distinct.sorted.map(said))
  }

  private def saidOf(child: SparkPlan): Seq[HashPartitioning] =
    if (isPlainShuffle(child)) Nil
    else
      HashPartitionings.members(child.outputPartitioning).collect {
        case hash: HashPartitioning if hash.references.subsetOf(child.outputSet) => hash
      }

  /** Spark's own shuffle right below needs no check; a subclass of its partitioning does. */
  private def isPlainShuffle(plan: SparkPlan): Boolean = plan match {
    case shuffle: ShuffleExchangeLike =>
      shuffle.outputPartitioning.getClass == classOf[HashPartitioning]
    case stage: QueryStageExec => isPlainShuffle(stage.plan)
    case read: AQEShuffleReadExec => isPlainShuffle(read.child)
    case sort: SortExec => isPlainShuffle(sort.child)
    case _ => false
  }

  /** The key so that equal values have equal bytes. */
  private def bitwise(key: Expression): Expression = key.dataType match {
    case DoubleType | FloatType => KnownFloatingPointNormalized(NormalizeNaNAndZero(key))
    case t if !UnsafeRowUtils.isBinaryStable(t) => CollationKey(key)
    case _ => key
  }

  private def head(node: SparkPlan): String = node.simpleString(50)
}
