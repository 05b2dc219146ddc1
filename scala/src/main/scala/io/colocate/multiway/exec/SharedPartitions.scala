package io.colocate.multiway.exec

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, Expression, Murmur3Hash, UnsafeProjection}
import org.apache.spark.sql.execution._

/**
 * Divides the rows of some partitions among several tasks: each reads the same partition, and keeps the
 * rows whose keys hash to it. A small relation may be one partition whose join is much work, or all rows
 * of a frequent value may be in one partition of many.
 *
 * {{{
 *   partition 0      =>      partition 0, keys of hash 0      partition 0, keys of hash 1
 *   partition 1      =>      partition 1
 * }}}
 *
 * Valid if a partition has the same rows each time it is read; their order may differ. Counter-example:
 * a filter `rand() < 0.5`, which passes other rows each time.
 *
 * @param hash  the hash of a row's keys
 * @param tasks the number of tasks for each partition
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

  /** Tasks for each core, as some have more work than others. */
  private val PerCore = 2

  /** If each core has more partitions than this, reading all of them once more costs too much. */
  private val MostPerCore = 8

  /** Partitions are left as they are if none has more than this multiple of the mean work. */
  private val Even = 1.25

  /** Not the seed of Spark's partitions and buckets, which would send each of them whole to one task. */
  private val Seed = 1618

  /**
   * The rows of a plan; unchanged if the work is even and there is enough for each core, or if reading a
   * partition again would be more than reading a file again.
   *
   * @param weighed whether a separate job measures the work in each partition
   * @param work    the work for the rows of a partition
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

  /** The number of tasks for each partition, by the work in it. */
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
