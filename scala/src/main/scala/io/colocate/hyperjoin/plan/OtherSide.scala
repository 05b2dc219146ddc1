package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.plans.physical.{ClusteredDistribution, HashPartitioning}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, LogicalQueryStage, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.internal.SQLConf

import io.colocate.hyperjoin.exec.TaskRanges

/**
 * The side of a join that is shuffled into the ranges of a robust table.
 *
 * @param keys the join keys of this side, one for each key of the table
 */
final private[hyperjoin] class OtherSide(
    val plan: LogicalPlan,
    val keys: Seq[Expression],
    conf: SQLConf) {

  private val table = TableSide.of(plan)

  /** Estimated bytes in memory that a shuffle would move. */
  def bytesBeside(stored: TableSide): Double = (plan, table) match {
    case (_, Some(of)) => of.shuffleBytes
    case (stage: LogicalQueryStage, _) if stage.isMaterialized => stage.stats.sizeInBytes.toDouble
    // Spark's sizes are bytes of files, so only their ratio is meaningful.
    case _ =>
      val share = plan.stats.sizeInBytes.toDouble / stored.plan.stats.sizeInBytes.toDouble.max(1.0)
      stored.heldBytes.sum * share
  }

  /** Bytes read from files; 0 if this side is not known to be a table. */
  lazy val readBytes: Double = table.fold(0.0)(_.readBytes.sum.toDouble)

  /** True if Spark would most likely not shuffle this side, as it is already partitioned by the keys. */
  lazy val clustered: Boolean = OtherSide.clustered(plan, keys)

  /** Bytes in memory of the rows of each task; None before the shuffle has run. */
  def taskBytes(shuffle: SideInput.Shuffle): Option[Seq[Double]] = for {
    stage <- done(shuffle)
    written <- stage.mapStats
    statistics <- stage.computeStats()
  } yield {
    val packed = written.bytesByPartitionId.sum.max(1L).toDouble
    written.bytesByPartitionId.toSeq.map(_ / packed * statistics.sizeInBytes.toDouble)
  }

  /** The bytes of the largest task, if the shuffle has run and Spark would regard it as skewed. */
  def skewed(shuffle: SideInput.Shuffle): Option[Long] =
    for {
      stage <- done(shuffle) if conf.getConf(SQLConf.SKEW_JOIN_ENABLED)
      sizes <- stage.mapStats.map(_.bytesByPartitionId.sorted) if sizes.nonEmpty
      factor = conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_FACTOR)
      if sizes.last > conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_THRESHOLD)
      if sizes.last > factor * sizes(sizes.length / 2)
    } yield sizes.last

  private def done(shuffle: SideInput.Shuffle): Option[ShuffleQueryStageExec] =
    OtherSide.stage(plan, shuffle).filter(_.isMaterialized)
}

private[hyperjoin] object OtherSide extends AliasHelper {

  /** The stage of exactly this shuffle; adaptive execution plans a join again while its parts run. */
  def stage(plan: LogicalPlan, shuffle: SideInput.Shuffle): Option[ShuffleQueryStageExec] =
    plan match {
      case LogicalQueryStage(_, stage: ShuffleQueryStageExec)
          if shuffle.ranges.describe(stage.outputPartitioning, shuffle.key) =>
        Some(stage)
      case _ => None
    }

  /** True for a stage that shuffled into ranges. */
  def shuffled(plan: LogicalPlan): Boolean = plan match {
    case LogicalQueryStage(_, stage: ShuffleQueryStageExec) =>
      TaskRanges.isPartitioning(stage.outputPartitioning)
    case _ => false
  }

  private def clustered(plan: LogicalPlan, keys: Seq[Expression]): Boolean = {
    def keyed(by: Seq[Expression]) =
      by.nonEmpty && by.forall(one => keys.exists(_.semanticEquals(one)))
    plan match {
      case stage: LogicalQueryStage =>
        stage.physicalPlan.outputPartitioning.satisfies(ClusteredDistribution(keys))
      case Project(list, child) =>
        val aliases = getAliasMap(list.collect { case alias: Alias => alias })
        clustered(child, keys.map(replaceAlias(_, aliases)))
      case Filter(_, child) => clustered(child, keys)
      case Aggregate(grouping, list, _, _) =>
        val aliases = getAliasMap(list.collect { case alias: Alias => alias })
        val below = keys.map(replaceAlias(_, aliases))
        grouping.nonEmpty && grouping.forall(one => below.exists(_.semanticEquals(one)))
      case window: Window => keyed(window.partitionSpec)
      case RepartitionByExpression(by, _, _, _) => keyed(by)
      case ExtractEquiJoinKeys(_, left, right, _, _, _, _, _) => keyed(left) || keyed(right)
      case leaf: LeafNode => keyed(placedBy(leaf))
      case _ => false
    }
  }

  /** The columns by which stored rows are partitioned. */
  private def placedBy(leaf: LeafNode): Seq[Expression] = leaf match {
    case relation: LogicalRelation =>
      val buckets = relation.catalogTable.flatMap(_.bucketSpec).toSeq.flatMap(_.bucketColumnNames)
      buckets.flatMap(name => relation.output.find(_.name.equalsIgnoreCase(name)))
    case cached: InMemoryRelation =>
      val plan = cached.cachedPlan match {
        case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
        case other => other
      }
      plan.outputPartitioning match {
        case HashPartitioning(by, _) =>
          val here = AttributeMap(plan.output.zip(cached.output))
          by.map(_.transform { case a: Attribute => here.getOrElse(a, a) })
        case _ => Nil
      }
    case scan: DataSourceV2ScanRelation => scan.keyGroupedPartitioning.getOrElse(Nil)
    case _ => Nil
  }
}
