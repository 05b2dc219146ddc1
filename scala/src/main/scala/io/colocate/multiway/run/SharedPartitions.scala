package io.colocate.multiway.run

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, Expression, Literal, Murmur3Hash, Pmod, UnsafeProjection}
import org.apache.spark.sql.execution._

/**
 * The rows of a few partitions for more tasks: several read the same partition, and each keeps the rows
 * whose keys hash to it. A small relation may be one partition, and the join of its rows a long work.
 *
 * {{{
 *   partition 0      =>      partition 0, keys of hash 0      partition 0, keys of hash 1
 * }}}
 *
 * Valid where a partition has the same rows whenever it is read; their order may differ. Counter-example:
 * a filter `rand() < 0.5`, which lets other rows pass each time.
 *
 * @param share by which a row's task is told, from 0 until `tasks`
 * @param tasks for each partition
 */
final private[run] class SharedPartitions(rows: RDD[InternalRow], share: Expression, tasks: Int)
    extends RDD[InternalRow](rows.sparkContext, Seq(new SharedPartitions.Dependency(rows, tasks))) {

  override protected def getPartitions: Array[Partition] =
    Array.tabulate(rows.getNumPartitions * tasks) { i =>
      SharedPartitions.Share(i, rows.partitions(i / tasks))
    }

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    rows.preferredLocations(SharedPartitions.whole(split))

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val shareOf = UnsafeProjection.create(share)
    firstParent[InternalRow].iterator(SharedPartitions.whole(split), context)
      .filter(row => shareOf(row).getInt(0) == split.index % tasks)
  }
}

private[run] object SharedPartitions {

  /** Tasks for each core, as some have more to do than others. */
  private val PerCore = 2

  /** Another seed than that of Spark's partitions and buckets, which would send them whole to one task. */
  private val Seed = 1618

  /**
   * The rows of a plan, as they are where there is a partition for each core already, or where reading
   * a partition again would be more than to read a file again.
   */
  def of(plan: SparkPlan, keys: Seq[Attribute]): RDD[InternalRow] = {
    val rows = plan.execute()
    val (cores, partitions) = (plan.session.sparkContext.defaultParallelism, rows.getNumPartitions)
    if (partitions == 0 || partitions >= cores || !rereadable(plan)) rows
    else {
      val tasks = (PerCore * cores + partitions - 1) / partitions
      val share = Pmod(new Murmur3Hash(keys, Seed), Literal(tasks))
      new SharedPartitions(rows, BindReferences.bindReference(share, plan.output), tasks)
    }
  }

  private def rereadable(plan: SparkPlan): Boolean = plan match {
    case _: FileSourceScanExec | _: LocalTableScanExec | _: RangeExec => true
    case _: FilterExec | _: ProjectExec | _: ColumnarToRowExec | _: InputAdapter |
        _: WholeStageCodegenExec =>
      plan.expressions.forall(_.deterministic) && plan.children.forall(rereadable)
    case _ => false
  }

  final private case class Share(index: Int, whole: Partition) extends Partition

  private def whole(split: Partition): Partition = split.asInstanceOf[Share].whole

  final private class Dependency(rows: RDD[InternalRow], tasks: Int)
      extends NarrowDependency[InternalRow](rows) {
    override def getParents(partition: Int): Seq[Int] = Seq(partition / tasks)
  }
}
