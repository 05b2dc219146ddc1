package io.colocate.multiway.exec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf

/**
 * Identifies the rows of a plan: plans with equal fingerprints have the same rows.
 *
 * {{{
 *   Project [src]
 *   +- Filter (dst > 3)               =>    Seq(project [0], filter [1 > 3], Parquet of these columns),
 *      +- FileScan parquet                  files with length and time, settings of the session
 * }}}
 *
 * Valid for scans of Parquet and ORC files, with filters and projections that are Spark's own and
 * deterministic. Counter-examples: data that Spark caches, as it may have been read before the files
 * changed; the format of another library, which may read more than the files; a filter with a value from
 * a subquery; a user's function, which may return another value the next time.
 *
 * @param steps    the operators from the top to the scan
 * @param settings all settings of Spark that are set, as some say how files are read
 */
final private[multiway] case class PlanFingerprint(
    mode: BroadcastMode,
    steps: Seq[Any],
    files: Seq[PinnedFile],
    settings: Map[String, String]) {

  /** The bytes of the files. */
  def bytes: Long = files.map(_.length).sum

  /** The files that came since another plan, which has the same rows otherwise; None if others went. */
  def since(before: PlanFingerprint): Option[Seq[PinnedFile]] = {
    val known = before.files.toSet
    Option.when(mode == before.mode && files.length > before.files.length &&
      steps == before.steps && settings == before.settings && files.count(known) == known.size)(
      files.filterNot(known))
  }

  /** True if the files are still as they were listed, according to the file system. */
  def holds(hadoop: Configuration): Boolean = PinnedFile.unchanged(files, hadoop)
}

private[multiway] object PlanFingerprint {

  /** True if a plan may have a fingerprint, as far as this can be decided without its files. */
  def possible(plan: SparkPlan, conf: SQLConf): Boolean =
    !conf.ignoreCorruptFiles && !conf.ignoreMissingFiles && steps(plan).nonEmpty

  /** None if there are too many folders to check, or if files may still be changing. */
  def of(mode: BroadcastMode, plan: SparkPlan, conf: SQLConf): Option[PlanFingerprint] =
    for {
      steps <- steps(plan) if possible(plan, conf)
      files <- PinnedFile.of(scan(plan), writtenOnce = isOurs(scan(plan)))
    } yield PlanFingerprint(mode, steps, files, conf.getAllConfs.filterNot(isOurs))

  /** Colocate's settings say which files are read, and when, but not how. */
  private def isOurs(setting: (String, String)): Boolean = setting._1.startsWith("spark.colocate.")

  /** The options of its scan, which may say how to access its files. */
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
      isOurs(scan)
    whole && !options.ignoreCorruptFiles && !options.ignoreMissingFiles &&
    (scan.partitionFilters ++ scan.dataFilters).forall(simple)
  }

  private def isOurs(scan: FileSourceScanExec): Boolean =
    scan.relation.fileFormat.getClass.getPackageName.startsWith("io.colocate.")

  private def step(scan: FileSourceScanExec): Any = {
    val relation = scan.relation
    (relation.fileFormat.getClass, relation.options, relation.dataSchema, relation.partitionSchema,
      scan.requiredSchema, scan.output.map(a => (a.name, a.dataType, a.nullable)),
      scan.dataFilters.map(normal(_, scan)), scan.optionalBucketSet)
  }

  /** A column is identified by its position, so that the names in a query do not matter. */
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

  /** Checking the files in more folders each time would cost too much. */
  private val MostFolders = 16

  /** A file that is younger may be rewritten without a later time, if clocks differ or tick slowly. */
  private val Settled = 60 * 1000L

  /** @param writtenOnce true if no file gets the name of another one, as in a robust table */
  def of(scan: FileSourceScanExec, writtenOnce: Boolean): Option[Seq[PinnedFile]] = {
    val types = scan.relation.partitionSchema.map(_.dataType)
    val files = scan.selectedPartitions.filePartitionIterator.flatMap { partition =>
      val values = partition.values.copy().toSeq(types)
      partition.files.map(of(_, values))
    }.toSeq
    val settled = System.currentTimeMillis() - Settled
    Option.when((writtenOnce || files.forall(_.modified < settled)) &&
      folders(files).size <= MostFolders)(files)
  }

  def of(file: FileStatusWithMetadata, partition: Seq[Any]): PinnedFile =
    PinnedFile(file.getPath, file.getLen, file.getModificationTime, partition)

  def unchanged(files: Seq[PinnedFile], hadoop: Configuration): Boolean =
    folders(files).forall { case (folder, own) =>
      val found = folder.getFileSystem(hadoop).listStatus(folder).map(s => s.getPath -> s).toMap
      own.forall(file => found.get(file.path).exists(same(file, _)))
    }

  private def folders(files: Seq[PinnedFile]) = files.groupBy(_.path.getParent)

  private def same(file: PinnedFile, now: FileStatus): Boolean =
    now.isFile && now.getLen == file.length && now.getModificationTime == file.modified
}
