package io.colocate.multiway.exec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf

/**
 * What the rows of a plan hang on, as a value: two plans for which it is equal have the same rows.
 *
 * {{{
 *   Project [src]
 *   +- Filter (dst > 3)               =>    Seq(project [0], filter [1 > 3], Parquet of these columns),
 *      +- FileScan parquet                  files with length and time, settings of the session
 * }}}
 *
 * Valid for scans of Parquet and ORC files, with filters and projections that are Spark's own and
 * deterministic. Counter-examples: what Spark caches, as it may have been read before the files changed;
 * the format of another library, which may read more than the files; a filter that a subquery fills in;
 * a user's function, which may answer otherwise the next time.
 *
 * @param steps    from the top to the scan
 * @param settings of Spark that somebody has set, as some say how files are read
 */
final private[multiway] case class PlanFingerprint(
    mode: BroadcastMode,
    steps: Seq[Any],
    files: Seq[PinnedFile],
    settings: Map[String, String]) {

  /** True if the files still are as they were listed, by the file system's own word. */
  def holds(hadoop: Configuration): Boolean = PinnedFile.unchanged(files, hadoop)
}

private[multiway] object PlanFingerprint {

  /** True for a plan that can be told apart from others, as far as that is seen without its files. */
  def possible(plan: SparkPlan, conf: SQLConf): Boolean =
    !conf.ignoreCorruptFiles && !conf.ignoreMissingFiles && steps(plan).nonEmpty

  /** None where files are too many to look at, or may still be changing. */
  def of(mode: BroadcastMode, plan: SparkPlan, conf: SQLConf): Option[PlanFingerprint] =
    for {
      steps <- steps(plan) if possible(plan, conf)
      files <- PinnedFile.of(scan(plan))
    } yield PlanFingerprint(mode, steps, files, conf.getAllConfs.filterNot(isOurs))

  /** Ours say which files are read, and when, but not how. */
  private def isOurs(setting: (String, String)): Boolean = setting._1.startsWith("spark.colocate.")

  /** Of its scan, which may say how to get to its files. */
  def options(plan: SparkPlan): Map[String, String] = scan(plan).relation.options

  private def steps(plan: SparkPlan): Option[Seq[Any]] = plan match {
    case _: WholeStageCodegenExec | _: InputAdapter | _: ColumnarToRowExec =>
      steps(plan.children.head)
    case ProjectExec(list, child) if list.forall(simple) =>
      steps(child).map(("project", list.map(normal(_, child))) +: _)
    case FilterExec(condition, child) if simple(condition) =>
      steps(child).map(("filter", normal(condition, child)) +: _)
    case scan: FileSourceScanExec if known(scan) => Some(Seq(step(scan)))
    case _ => None
  }

  private def scan(plan: SparkPlan): FileSourceScanExec =
    plan.collectLeaves().head.asInstanceOf[FileSourceScanExec]

  private def known(scan: FileSourceScanExec): Boolean = {
    val format = scan.relation.fileFormat.getClass
    val options = new FileSourceOptions(scan.relation.options)
    val whole = format == classOf[ParquetFileFormat] || format == classOf[OrcFileFormat] ||
      format.getPackageName.startsWith("io.colocate.")
    whole && !options.ignoreCorruptFiles && !options.ignoreMissingFiles &&
    (scan.partitionFilters ++ scan.dataFilters).forall(simple)
  }

  private def step(scan: FileSourceScanExec): Any = {
    val relation = scan.relation
    (relation.fileFormat.getClass, relation.options, relation.dataSchema, relation.partitionSchema,
      scan.requiredSchema, scan.output.map(a => (a.name, a.dataType, a.nullable)),
      scan.dataFilters.map(normal(_, scan)), scan.optionalBucketSet)
  }

  /** A column is told by its place, so that names that a query gives do not matter. */
  private def normal(e: Expression, child: SparkPlan): Expression = {
    val value = e match {
      case Alias(value, _) => value
      case other => other
    }
    QueryPlan.normalizeExpressions(value, child.output).canonicalized
  }

  private def simple(e: Expression): Boolean = e.deterministic && !e.exists {
    case _: SubqueryExpression | _: UserDefinedExpression | _: DynamicPruning => true
    case inner => !inner.getClass.getName.startsWith("org.apache.spark.sql.catalyst.expressions.")
  }
}

/** A file as a scan lists it, with the partition that it belongs to. */
final private[multiway] case class PinnedFile(
    path: Path,
    length: Long,
    modified: Long,
    partition: Seq[Any])

private[multiway] object PinnedFile {

  /** In more folders it would cost too much to look at the files each time. */
  private val MostFolders = 16

  /**
   * A file that is younger may be written again without a later time, by clocks that differ or tick
   * slowly.
   */
  private val Settled = 60 * 1000L

  def of(scan: FileSourceScanExec): Option[Seq[PinnedFile]] = {
    val types = scan.relation.partitionSchema.map(_.dataType)
    val files = scan.selectedPartitions.filePartitionIterator.flatMap { partition =>
      val values = partition.values.copy().toSeq(types)
      partition.files
        .map(f => PinnedFile(f.getPath, f.getLen, f.getModificationTime, values))
    }.toSeq
    val settled = System.currentTimeMillis() - Settled
    Option.when(files.forall(_.modified < settled) && folders(files).size <= MostFolders)(files)
  }

  def unchanged(files: Seq[PinnedFile], hadoop: Configuration): Boolean =
    folders(files).forall { case (folder, own) =>
      val found = folder.getFileSystem(hadoop).listStatus(folder).map(s => s.getPath -> s).toMap
      own.forall(file => found.get(file.path).exists(same(file, _)))
    }

  private def folders(files: Seq[PinnedFile]) = files.groupBy(_.path.getParent)

  private def same(file: PinnedFile, now: FileStatus): Boolean =
    now.isFile && now.getLen == file.length && now.getModificationTime == file.modified
}
