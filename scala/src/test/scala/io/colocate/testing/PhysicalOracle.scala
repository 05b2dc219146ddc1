package io.colocate.testing

import java.util.Base64

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

  /** A key: the partitions that hold it, for keys without a NULL or for all. */
  private type Places = Map[String, Set[Int]]

  private def joined(join: ShuffledJoin): Seq[String] = {
    // A NULL key matches nothing; null-safe keys were rewritten and hold none.
    val left = places(join.left, join.leftKeys, nulls = false)
    val right = places(join.right, join.rightKeys, nulls = false)
    val apart = left.keySet.intersect(right.keySet).filter(k => left(k) != right(k)).toSeq
      .map(k => s"a key is in ${left(k)} on the left and in ${right(k)} on the right")
    val elsewhere = misplaced(join.left) ++ misplaced(join.right)
    (torn(left) ++ torn(right) ++ apart ++ elsewhere).take(3).map(v => s"$v, under ${head(join)}")
  }

  private def clustered(node: SparkPlan): Option[Seq[String]] = {
    val wanted = node.children.zip(node.requiredChildDistribution.map(together)).collect {
      case (child, keys) if keys.nonEmpty && !isPlainShuffle(child) =>
        (torn(places(child, keys, nulls = true)) ++ misplaced(child)).take(3)
          .map(v => s"$v, under ${head(node)}")
    }
    Option.when(wanted.nonEmpty)(wanted.flatten)
  }

  private def together(wanted: Distribution): Seq[Expression] = wanted match {
    case clustered: ClusteredDistribution => clustered.clustering
    case state: StatefulOpClusteredDistribution => state.expressions
    case _ => Nil
  }

  private def torn(places: Places): Seq[String] =
    places.values.filter(_.size > 1).map(p => s"a key is in partitions ${p.toSeq.sorted}").toSeq

  private def misplaced(child: SparkPlan): Seq[String] =
    if (isPlainShuffle(child)) Nil
    else
      HashPartitionings.members(child.outputPartitioning).collect {
        case hash: HashPartitioning
            if hash.references.subsetOf(child.outputSet) && rowsElsewhere(child, hash) > 0 =>
          s"rows are not where $hash puts them"
      }

  private def rowsElsewhere(child: SparkPlan, hash: HashPartitioning): Long = {
    val (partition, output) = (hash.partitionIdExpression, child.output)
    child.execute().mapPartitionsWithIndex { (i, rows) =>
      val project = UnsafeProjection.create(Seq(partition), output)
      rows.map(project(_).getInt(0)).filter(_ != i)
    }.count()
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

  private def places(child: SparkPlan, keys: Seq[Expression], nulls: Boolean): Places = {
    val comparable = keys.map(bitwise)
    val output = child.output
    child.execute().mapPartitionsWithIndex { (i, rows) =>
      val project = UnsafeProjection.create(comparable, output)
      rows.map(project(_)).filter(key => nulls || !key.anyNull)
        .map(key => Base64.getEncoder.encodeToString(key.getBytes) -> i).toSet.iterator
    }.collect().groupMap(_._1)(_._2).view.mapValues(_.toSet).toMap
  }

  /** The key so that equal values have equal bytes. */
  private def bitwise(key: Expression): Expression = key.dataType match {
    case DoubleType | FloatType => KnownFloatingPointNormalized(NormalizeNaNAndZero(key))
    case t if !UnsafeRowUtils.isBinaryStable(t) => CollationKey(key)
    case _ => key
  }

  private def head(node: SparkPlan): String = node.simpleString(50)
}
