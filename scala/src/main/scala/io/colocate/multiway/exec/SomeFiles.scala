package io.colocate.multiway.exec

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType

/** Some of the files that an index lists. A file may be listed in several partitions. */
final private class SomeFiles(all: FileIndex, files: Set[PinnedFile]) extends FileIndex {

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] =
    all.listFiles(partitionFilters, dataFilters).map { partition =>
      val values = partition.values.copy().toSeq(partitionSchema)
      partition.copy(files = partition.files.filter(file => files(PinnedFile.of(file, values))))
    }.filter(_.files.nonEmpty)

  override def rootPaths: Seq[Path] = all.rootPaths
  override def inputFiles: Array[String] = files.map(_.path.toString).toArray
  override def refresh(): Unit = all.refresh()
  override def sizeInBytes: Long = files.toSeq.map(_.length).sum
  override def partitionSchema: StructType = all.partitionSchema
}

private[multiway] object SomeFiles {

  /** A plan that has a fingerprint, over some of the files of its scan. */
  def of(plan: SparkPlan, files: Seq[PinnedFile]): SparkPlan = plan.transformUp {
    case scan: FileSourceScanExec =>
      val location = new SomeFiles(scan.relation.location, files.toSet)
      scan.copy(relation = scan.relation.copy(location = location)(scan.relation.sparkSession))
  }
}
