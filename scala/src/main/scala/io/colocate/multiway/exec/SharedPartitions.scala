package io.colocate.multiway.exec

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, Expression, Murmur3Hash, UnsafeProjection}
import org.apache.spark.sql.execution._

/**
 * The rows of some partitions for more tasks: several read the same partition, and each keeps the rows
 * whose keys hash to it. A small relation may be one partition, and the join of its rows a long work; or
 * all rows of a frequent value lie in one partition of many.
 *
 * {{{
 *   partition 0      =>      partition 0, keys of hash 0      partition 0, keys of hash 1
 *   partition 1      =>      partition 1
 * }}}
 *
 * Valid where a partition has the same rows whenever it is read; their order may differ. Counter-example:
 * a filter `rand() < 0.5`, which lets other rows pass each time.
 *
 * @param hash  of a row's keys
 * @param tasks for each partition
 */
final private[multiway] class SharedPartitions(
    rows: RDD[InternalRow],
    hash: Expression,
    tasks: Seq[Int])
    extends RDD[InternalRow](rows.sparkContext, Seq(new SharedPartitions.Dependency(rows, tasks))) {

  import SharedPartitions.share

  override protected def getPartitions: Array[Partition] = {
    val shares = for {
      (whole, of) <- rows.partitions.toSeq.zip(tasks)
      number <- 0 until of
    } yield (whole, number, of)
    shares.zipWithIndex.map { case ((whole, number, of), i) =>
      SharedPartitions.Share(i, whole, number, of)
    }.toArray
  }

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    rows.preferredLocations(share(split).whole)

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val own = share(split)
    val whole = firstParent[InternalRow].iterator(own.whole, context)
    if (own.of == 1) whole
    else {
      val hashOf = UnsafeProjection.create(hash)
      whole.filter(row => Math.floorMod(hashOf(row).getInt(0), own.of) == own.number)
    }
  }
}

private[multiway] object SharedPartitions {

  /** Tasks for each core, as some have more to do than others. */
  private val PerCore = 2

  /** Where each core has more partitions than that, to read all of them once more costs too much. */
  private val MostPerCore = 8

  /** Partitions are left as they are where none has more than this share of the mean work. */
  private val Even = 1.25

  /** Another seed than that of Spark's partitions and buckets, which would send them whole to one task. */
  private val Seed = 1618

  /**
   * The rows of a plan, as they are where work lies evenly and there is some for each core, or where
   * reading a partition again would be more than to read a file again.
   *
   * @param weighed whether a job of its own finds out how much work lies where
   * @param work    how much that is for the rows of a partition
   */
  def of(plan: SparkPlan, keys: Seq[Attribute], weighed: Boolean)(
      work: Iterator[InternalRow] => Long): RDD[InternalRow] = {
    val rows = plan.execute()
    val (cores, partitions) = (plan.session.sparkContext.defaultParallelism, rows.getNumPartitions)
    if (cores == 1 || partitions == 0 || !rereadable(plan)) rows
    else {
      val unlike = weighed && partitions > 1 && partitions <= MostPerCore * cores
      val found =
        if (unlike) rows.sparkContext.runJob(rows, work).toSeq else Seq.fill(partitions)(1L)
      val tasks = shares(found, cores)
      val hash: Expression = new Murmur3Hash(keys, Seed)
      if (tasks.forall(_ == 1)) rows
      else new SharedPartitions(rows, BindReferences.bindReference(hash, plan.output), tasks)
    }
  }

  /** How many tasks each partition is for, by the work in it. */
  def shares(work: Seq[Long], cores: Int): Seq[Int] = {
    val total = work.sum.toDouble.max(1)
    val even = work.max <= Even * total / work.length
    if (even && work.length >= cores) work.map(_ => 1)
    else {
      val tasks = work.length.max(PerCore * cores)
      work.map(w => math.ceil(w / total * tasks).toInt.max(1))
    }
  }

  private def rereadable(plan: SparkPlan): Boolean = plan match {
    case _: FileSourceScanExec | _: LocalTableScanExec | _: RangeExec => true
    case _: FilterExec | _: ProjectExec | _: ColumnarToRowExec | _: InputAdapter |
        _: WholeStageCodegenExec =>
      plan.expressions.forall(_.deterministic) && plan.children.forall(rereadable)
    case _ => false
  }

  final private case class Share(index: Int, whole: Partition, number: Int, of: Int)
      extends Partition

  private def share(split: Partition): Share = split.asInstanceOf[Share]

  final private class Dependency(rows: RDD[InternalRow], tasks: Seq[Int])
      extends NarrowDependency[InternalRow](rows) {
    private val parents = tasks.indices.flatMap(i => Seq.fill(tasks(i))(i)).toArray
    override def getParents(partition: Int): Seq[Int] = Seq(parents(partition))
  }
}
