package io.colocate.hyperjoin.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, PartitionedFile}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.colocate.facts.proved.Together
import io.colocate.rule.ColocateNode

/**
 * Reads the files of a scan in given groups, one task per group. Both sides of a join number their
 * groups alike, so the join needs no shuffle:
 *
 * {{{
 *   ShuffledHashJoin                        ShuffledHashJoin
 *   :- Exchange (l_orderkey)                :- ColocateHyperScan [a, b] [c]
 *   :  +- FileScan lineitem         =>      :  +- FileScan lineitem
 *   +- Exchange (o_orderkey)                +- ColocateHyperScan [x] [x, y]
 *      +- FileScan orders                      +- FileScan orders
 * }}}
 *
 * A file may be in several groups; it is read once for each. Rows, batches, pushed-down filters,
 * run-time pruning and read metrics are those of the scan below.
 *
 * @param together a column whose equal values are all in one group, as the join above sees them
 */
final case class ColocateHyperScan(
    child: SparkPlan,
    groups: FileGroups,
    together: Option[Attribute])
    extends UnaryExecNode
    with ColocateNode {

  override def output: Seq[Attribute] = child.output

  override def supportsColumnar: Boolean = child.supportsColumnar

  override def outputPartitioning: Partitioning =
    together.fold[Partitioning](UnknownPartitioning(groups.length)) { key =>
      Together(Seq(key), groups.length)
    }

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "groups" -> SQLMetrics.createMetric(sparkContext, "groups of files"),
    "reads" -> SQLMetrics.createMetric(sparkContext, "number of file reads"),
    "files" -> SQLMetrics.createMetric(sparkContext, "number of different files read"),
    "bytes" -> SQLMetrics.createSizeMetric(sparkContext, "size of file reads"),
    "c" -> SQLMetrics.createAverageMetric(sparkContext, "times that a byte is read (C_HyJ)"))

  override protected def doExecute(): RDD[InternalRow] = grouped(child.execute())

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = grouped(child.executeColumnar())

  private def grouped[T: scala.reflect.ClassTag](read: RDD[T]): RDD[T] = {
    val partitions = groups.partitions(files)
    measure(partitions)
    new GroupedFilesRDD(partitions, read)
  }

  private def measure(partitions: Array[FilePartition]): Unit = {
    def bytes(parts: Array[PartitionedFile]) = parts.iterator.map(_.length).sum
    // A large file is read in several parts.
    val reads = partitions.flatMap(_.files.map(_.filePath).distinct)
    val parts = partitions.flatMap(_.files)
    val once = parts.distinctBy(part => (part.filePath, part.start))
    metrics("groups").set(partitions.length)
    metrics("reads").set(reads.length)
    metrics("files").set(reads.distinct.length)
    metrics("bytes").set(bytes(parts))
    metrics("c").set(bytes(parts).toDouble / bytes(once).max(1))
    val execution = sparkContext.getLocalProperty("spark.sql.execution.id")
    SQLMetrics.postDriverMetricUpdates(sparkContext, execution, metrics.values.toSeq)
  }

  /** The scan created this RDD when it was executed, after run-time pruning. */
  private def files: FileScanRDD = child match {
    case scan: FileSourceScanExec => scan.inputRDD.asInstanceOf[FileScanRDD]
    case other => throw new IllegalStateException(s"reads no files: ${other.nodeName}")
  }

  override def simpleString(maxFields: Int): String = {
    val known = together.fold("")(key => s", together by $key")
    s"$nodeName ${groups.length} groups, ${groups.files} files, ${groups.reads} reads$known"
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ColocateHyperScan =
    copy(child = newChild)
}
