package io.colocate.tables.commit

import java.nio.file.{Files, Path => NioPath}

import org.apache.commons.io.FileUtils
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.types.{Metadata => _, _}

import io.colocate.tables.format.{ColumnStats, CommitInfo, FileAdded, FileRemoved, Isolation, LocalLogStore, LogNames, LogStore, Metadata, TreeAdded}
import io.colocate.tables.snapshot.{Snapshot, SnapshotCache}
import io.colocate.tables.tree.{Cut, Leaf, Node, RobustTree, Split}

/** Tables of two columns in folders that do not outlive a test. */
trait LogFixture {

  protected val schema: StructType = new StructType().add("a", IntegerType).add("s", StringType)

  protected val metadata: Metadata = Metadata(schema, Map("joinKey" -> "a"), "sizeDriven", 1L)

  /** Two leaves, 0 and 1. */
  protected val tree: RobustTree = treeOf(0, Leaf(0), Leaf(1))

  protected def treeOf(id: Int, left: Node, right: Node): RobustTree =
    RobustTree(id,
      Split(Cut("a", IntegerType, 10, inclusive = true, nullsLeft = false), left, right))

  protected def who(operation: String = "TEST"): CommitInfo = CommitInfo(operation)

  protected def file(
      path: String,
      rows: Long = 10,
      leaf: Option[Int] = Some(0),
      treeId: Int = 0,
      dataChange: Boolean = true,
      modified: Long = Long.MaxValue): FileAdded =
    FileAdded(path, treeId, leaf, rows, rows * 8, modified, Map("a" -> within(leaf.getOrElse(0))),
      dataChange)

  /** Of rows that belong to a leaf of [[tree]], or to one of those that a test splits leaf 0 into. */
  private def within(leaf: Int): ColumnStats = {
    val (min, max) = Map(1 -> (11, 19), 2 -> (1, 5), 3 -> (6, 9)).getOrElse(leaf, (1, 9))
    ColumnStats(Some(min), Some(max), 0, 0, bounded = true)
  }

  protected def gone(path: String, dataChange: Boolean = true): FileRemoved =
    FileRemoved(path, 1L, dataChange)

  protected def inFolder[T](body: NioPath => T): T = {
    val folder = Files.createTempDirectory("colocate-log")
    try body(folder)
    finally FileUtils.deleteQuietly(folder.toFile)
  }

  protected def logFolder(folder: NioPath): NioPath = folder.resolve(LogNames.Folder)

  protected def entryFile(folder: NioPath, version: Long): NioPath =
    logFolder(folder).resolve(LogNames.entry(version))

  protected def checkpointFile(folder: NioPath, version: Long): NioPath =
    logFolder(folder).resolve(LogNames.checkpoint(version))

  protected def open(folder: NioPath): TableLog =
    open(folder, new LocalLogStore(logFolder(folder)))

  protected def open(folder: NioPath, store: LogStore): TableLog =
    new TableLog(pathOf(folder), store, upkeep = LogUpkeep.atOnce)

  protected def open(folder: NioPath, clock: () => Long): TableLog =
    new TableLog(pathOf(folder), new LocalLogStore(logFolder(folder)), clock, LogUpkeep.atOnce)

  protected def pathOf(folder: NioPath): Path = new Path(s"file://$folder")

  /** As another process sees it, that has read nothing yet. */
  protected def fresh(folder: NioPath): TableLog = {
    SnapshotCache.forget(pathOf(folder).toString)
    open(folder)
  }

  protected def create(log: TableLog, metadata: Metadata = metadata): Long =
    log.commit(TableLog.NoVersion, Seq(who("CREATE"), metadata, TreeAdded(tree)), Isolation.Append)

  protected def append(log: TableLog, paths: String*): Long =
    log.commit(log.latestVersion, who("WRITE") +: paths.map(file(_)), Isolation.Append)

  protected def paths(snapshot: Snapshot): Set[String] = {
    val all = snapshot.files.map(_.path)
    assert(all.distinct.length == all.length)
    all.toSet
  }
}
