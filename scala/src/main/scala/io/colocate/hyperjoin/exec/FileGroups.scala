package io.colocate.hyperjoin.exec

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD}

/**
 * Which files each task reads.
 *
 * @param paths the file names of each group, relative to the table's folder
 */
final case class FileGroups(paths: IndexedSeq[IndexedSeq[String]]) {

  def length: Int = paths.length

  /** The number of file reads: a file counts once for each group that reads it. */
  lazy val reads: Int = paths.iterator.map(_.length).sum

  /** The number of different files. */
  lazy val files: Int = paths.iterator.flatten.toSet.size

  /** The scan's files by group. The scan may have pruned some of the files. */
  private[hyperjoin] def partitions(scan: FileScanRDD): Array[FilePartition] = {
    val byName = scan.filePartitions.flatMap(_.files).groupBy(_.toPath.getName)
    paths.zipWithIndex.map { case (names, group) =>
      FilePartition(group, names.flatMap(byName.getOrElse(_, Nil)).toArray)
    }.toArray
  }
}

/**
 * Reads groups of files in place of the partitions that a scan made.
 *
 * The RDDs between this one and the scan pass a partition on unchanged, and the scan reads the files of
 * any partition that it is given.
 */
final private[hyperjoin] class GroupedFilesRDD[T: scala.reflect.ClassTag](
    @transient private val groups: Array[FilePartition],
    private var read: RDD[T])
    extends RDD[T](read.context, Seq(new GroupedFilesRDD.NoPartition(read))) {

  override protected def getPartitions: Array[Partition] = groups.toArray[Partition]

  override def compute(split: Partition, context: TaskContext): Iterator[T] =
    read.compute(split, context)

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    split.asInstanceOf[FilePartition].preferredLocations().toSeq

  override def clearDependencies(): Unit = {
    super.clearDependencies()
    read = null
  }
}

private object GroupedFilesRDD {

  /** The groups are not partitions of the scan. */
  final class NoPartition[T](rdd: RDD[T]) extends NarrowDependency[T](rdd) {
    override def getParents(partitionId: Int): Seq[Int] = Nil
  }
}
