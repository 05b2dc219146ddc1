package io.colocate.tables.operations

import scala.util.Try

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, ConcurrentChange, FileAdded, Isolation, LogNames, Maintained, Metadata, PathTaken, StreamBatch, TableExists, TreeAdded, TreeRemoved}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}
import io.colocate.tables.write.{LeafWriter, RowSource}

/**
 * All operations that make a new version of a table, except [[Compact]], which keeps its rows.
 *
 * Writes the files first, then the log: a failure in between leaves the table as it was.
 */
final class TableWriter(session: SparkSession, log: TableLog) {

  private val conf = session.sessionState.conf
  private val transaction = new Transaction(session, log)

  /** Creates a table without rows. */
  def create(schema: StructType, options: Map[String, String]): Unit = {
    requireFree()
    val metadata = newMetadata(schema, options)
    val info = CommitInfo("CREATE TABLE", metadata.options)
    transaction.commit(TableLog.NoVersion, metadata, Nil, Seq(metadata), info, Isolation.Append)
  }

  /**
   * Creates a table with these rows.
   *
   * @param view the query that they are of, if the table is a maintained view
   */
  def create(
      rows: RowSource,
      options: Map[String, String],
      view: Option[Maintained] = None): Unit = {
    requireFree()
    val metadata = newMetadata(rows.schema, options)
    val trees = grow(metadata, rows, firstId = 0, before = None)
    claimed {
      val files = write(rows, trees, LeafWriter.PerLeaf, options)
      val made = if (view.isEmpty) "CREATE TABLE AS SELECT" else "CREATE MATERIALIZED VIEW"
      val info = CommitInfo(made, metadata.options)
      transaction.commit(TableLog.NoVersion, metadata, files,
        Seq(metadata) ++ trees.map(TreeAdded(_)) ++ view, info, Isolation.Append)
    }
  }

  /**
   * Adds rows.
   *
   * @param options mergeSchema and the options of Spark's Parquet writer; layout options may be repeated
   *                as the table has them
   * @param batch   the batch of the streaming query that the rows come from
   * @throws InvalidOption for layout options that differ from the table's
   */
  def append(
      rows: RowSource,
      options: Map[String, String],
      batch: Option[StreamBatch] = None): Unit = {
    val base = log.snapshot()
    TableOptions.requireSame(options, base.metadata.options, log.path.toString)
    val schema = if (WriteOptions.mergeSchema(options)) merged(base, rows.schema) else base.schema
    val aligned = rows.map(AlignToSchema.byName(_, schema, log.path, conf))
    val metadata = base.metadata.copy(schema = schema)
    val grown = if (begins(base)) firstCut(base, metadata, aligned) else Nil
    val trees = if (grown.isEmpty) routing(base) else grown
    val tasks = if (grown.isEmpty) LeafWriter.Coalesced else LeafWriter.PerLeaf
    val files = write(aligned, trees, tasks, options)
    val added =
      if (grown.isEmpty) Nil
      else base.trees.map(tree => TreeRemoved(tree.id)) ++ grown.map(TreeAdded(_))
    val info = CommitInfo(if (batch.isEmpty) "WRITE" else "STREAMING UPDATE",
      Map("mode" -> "Append", "trees" -> trees.map(_.id).mkString(", ")))
    val changed = Option.when(schema != base.schema)(metadata)
    try {
      transaction.commit(base.version, metadata, files, added ++ changed ++ batch, info,
        Isolation.Append)
    } catch {
      // Another writer may have changed the trees too; the rows can still be appended.
      case _: ConcurrentChange if grown.nonEmpty && !batch.exists(isWritten) =>
        append(rows, options, batch)
    }
  }

  private def isWritten(batch: StreamBatch): Boolean =
    log.snapshot().batches.get(batch.queryId).exists(_ >= batch.batchId)

  /** True while no tree has been cut: a table begins without rows, or with a few. */
  private def begins(base: Snapshot): Boolean =
    base.files.isEmpty || base.trees.forall(_.leaves.length == 1) && !base.metadata.replicated

  /**
   * The trees for the first rows that are worth a cut. They replace one leaf that holds few rows or
   * none. Existing rows stay in their files until a compaction routes them into the new tree.
   *
   * @return empty if there is a leaf for these rows, and they are not worth a cut either
   */
  private def firstCut(base: Snapshot, metadata: Metadata, rows: RowSource): Seq[RobustTree] = {
    val trees = grow(metadata, rows, base.freeTreeId, newest(base))
    val noLeaf = base.files.isEmpty || base.trees.isEmpty
    if (noLeaf || trees.exists(_.leaves.length > 1)) trees else Nil
  }

  /**
   * Replaces all rows of the table, under new trees.
   *
   * @param base    the version that the rows are based on: later commits of other rows conflict
   * @param given_  the rows
   * @param options layout options; the table's own stay if its columns do, and so does a join key that it
   *                has moved to, unless they name one
   * @param view    what the rows stand for, if the table is a maintained view
   * @return the version
   */
  def overwrite(
      base: Snapshot,
      given_ : RowSource,
      options: Map[String, String],
      view: Option[Maintained] = None,
      told: CommitInfo = CommitInfo("WRITE", Map("mode" -> "Overwrite"))): Long = {
    val same = AlignToSchema.same(given_.schema, base.schema)
    val schema = if (same) base.schema else given_.schema
    val rows = if (same) given_.map(AlignToSchema.byName(_, schema, log.path, conf)) else given_
    val before = if (same) base.metadata.options else Map.empty[String, String]
    val metadata = newMetadata(schema, before ++ TableOptions.among(options))
      .copy(created = base.metadata.created)
    val stays = same && !TableOptions.nameKey(options)
    val trees = grow(metadata, rows, base.freeTreeId, newest(base).filter(_ => stays))
    val files = write(rows, trees, LeafWriter.PerLeaf, options)
    transaction.commitInsteadOfAll(base, metadata, trees, files, view.toSeq, told)
  }

  /** As [[overwrite]], but the table keeps its columns and options. */
  def replace(base: Snapshot, rows: RowSource): Unit =
    overwrite(base, rows.map(AlignToSchema.byName(_, base.schema, log.path, conf)), Map.empty)

  /**
   * Removes all rows and all cuts. A tree of one leaf remains, for rows that other writers are adding,
   * and so that no later tree gets the id of a tree that they use.
   */
  def truncate(): Unit = {
    val base = log.snapshot()
    val uncut =
      if (base.metadata.replicated) Nil
      else Seq(RobustTree(base.freeTreeId, Leaf(0), newest(base).flatMap(_.joinKey)))
    transaction.commitInsteadOfAll(base, base.metadata, uncut, Nil, Nil, CommitInfo("TRUNCATE"))
  }

  /** Adds columns. They are NULL in existing rows, or have their default. */
  def addColumns(columns: StructType): Unit = {
    val base = log.snapshot()
    val schema = AlignToSchema.kept(StructType(base.schema ++ columns), log.path, conf)
    val metadata = base.metadata.copy(schema = schema)
    transaction.commit(base.version, metadata, Nil, Seq(metadata),
      CommitInfo("ADD COLUMNS", Map("columns" -> columns.fieldNames.mkString(", "))),
      Isolation.Append)
  }

  /** The trees that route new rows: the tree of each copy, or the newest tree. */
  private def routing(base: Snapshot): Seq[RobustTree] =
    if (base.metadata.replicated) base.trees else newest(base).toSeq

  private def newest(base: Snapshot): Option[RobustTree] = base.trees.maxByOption(_.id)

  private def write(
      rows: RowSource,
      trees: Seq[RobustTree],
      tasks: LeafWriter.Tasks,
      options: Map[String, String]): Seq[FileAdded] = {
    def files(rows: RowSource, tree: RobustTree): Seq[FileAdded] = {
      val copy =
        if (trees.length == 1) "" else s"copy ${trees.indexOf(tree) + 1} of ${trees.length} of "
      WriteStep(session, log.path, s"writing ${copy}rows into") {
        LeafWriter(rows, log.path, tree, tasks, WriteOptions.ofParquet(options)).files
      }
    }
    val first = files(rows, trees.head)
    // The other copies are read from the first: a query may not return the same rows twice.
    trees.tail.foldLeft(first) { (done, tree) =>
      done ++ transaction.orDelete(done) {
        files(transaction.rows(transaction.read(rows.schema, first)), tree)
      }
    }
  }

  /** @param before a tree whose join key the new ones keep, if the table has moved to it */
  private def grow(
      metadata: Metadata,
      rows: RowSource,
      firstId: Int,
      before: Option[RobustTree]): Seq[RobustTree] =
    WriteStep(session, log.path, "drawing a sample for") {
      val layout = TableOptions.of(metadata, before)
      TreeGrowth(session, layout, metadata.schema, log.path, before)(rows, firstId)
        .map(_.copy(joinKey = before.flatMap(_.joinKey)))
    }

  private def newMetadata(schema: StructType, options: Map[String, String]): Metadata = {
    val layout = TableOptions.among(options)
    val parsed = TableOptions.checked(layout, conf.resolver)
    val kept = AlignToSchema.kept(schema, log.path, conf)
    TreeGrowth(session, parsed, kept, log.path)
    Metadata(kept, layout, parsed.construction, log.now())
  }

  private def merged(base: Snapshot, schema: StructType): StructType = {
    val fresh = schema.filterNot(f => base.schema.exists(g => conf.resolver(f.name, g.name)))
    AlignToSchema.kept(StructType(base.schema ++ fresh), log.path, conf)
  }

  /** @throws PathTaken if the path holds anything but a table, complete or unfinished */
  private def requireFree(): Unit = {
    val path: Path = log.path
    val fs = fileSystem
    if (log.exists) throw new TableExists(path.toString)
    def names(folder: Path) = fs.listStatus(folder).map(_.getPath.getName).toSeq
    val free = !fs.exists(path) || fs.getFileStatus(path).isDirectory && {
      val there = names(path)
      there.forall(_ == LogNames.Folder) ||
      there.contains(LogNames.Folder) && names(logFolder).exists(LogNames.isClaim)
    }
    if (!free) throw new PathTaken(path.toString)
  }

  /**
   * Puts a claim into the log before any data file: if a first save is killed, it tells the next one that
   * the files there belong to no one else. Data files without a claim belong to a table that lost its log.
   */
  private def claimed(body: => Unit): Unit = {
    val fs = fileSystem
    val claim = new Path(logFolder, LogNames.claim())
    fs.create(claim).close()
    try {
      body
      Try(fs.delete(claim, false))
    } catch {
      case e: Throwable =>
        Try(fs.delete(claim, false))
        Try(fs.delete(logFolder, false))
        throw e
    }
  }

  private def logFolder = new Path(log.path, LogNames.Folder)

  private def fileSystem = log.path.getFileSystem(session.sessionState.newHadoopConf())
}
