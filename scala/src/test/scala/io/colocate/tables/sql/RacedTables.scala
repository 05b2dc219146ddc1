package io.colocate.tables.sql

import java.nio.file.{Files, Path => NioPath}

import org.apache.commons.io.FileUtils
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SQLExecution

import io.colocate.tables.commit.{LyingStore, TableLog}
import io.colocate.tables.format.{CommitInfo, FileRemoved, Isolation, LocalLogStore, LogNames}
import io.colocate.tables.queries.AskedQueries
import io.colocate.tables.write.RowSource

/** Writers that are overtaken by others, in an order that a test chooses. */
private[colocate] trait RacedTables extends TableSession {

  /**
   * Runs a write on a log in which others commit when the write has read the table and written its files,
   * just before it puts its entry.
   *
   * @param others what happens before its first try, its second one, and so on
   */
  protected def overtaken[T](path: String, others: (() => Unit)*)(write: TableLog => T): T = {
    val store = new LyingStore(new LocalLogStore(logFolder(path)))
    val left = others.iterator
    store.beforePut = () => left.nextOption().foreach(_.apply())
    val result = inQuery(write(new TableLog(log(path).path, store)))
    assert(left.isEmpty, "the write was not overtaken")
    result
  }

  /** As part of a query, which is what Spark writes files in. */
  protected def inQuery[T](body: => T): T =
    SQLExecution.withNewExecutionId(numbers(0).queryExecution)(body)

  protected def rows(of: DataFrame): RowSource = RowSource.of(spark, of.queryExecution)

  /** Another table with the same files, versions and queries. */
  protected def copy(path: String): String = {
    val copy = fresh()
    FileUtils.copyDirectory(folder(path).toFile, folder(copy).toFile)
    AskedQueries.inMemory(log(path).path).foreach(AskedQueries.remember(log(copy).path, _))
    copy
  }

  /** A layout commit at its cheapest: all files are put in place of themselves. */
  protected def touch(path: String): Unit = {
    val there = log(path).snapshot()
    val gone = there.files.map(file => FileRemoved(file.path, 0, dataChange = false))
    val same = there.files.map(_.copy(dataChange = false))
    log(path).commit(there.version, gone ++ same :+ CommitInfo("TOUCH"), Isolation.Layout)
  }

  protected def folder(path: String): NioPath = NioPath.of(new Path(path).toUri.getPath)

  protected def logFolder(path: String): NioPath = folder(path).resolve(LogNames.Folder)

  /** Data files that no version names. */
  protected def orphans(path: String): Set[String] = {
    val named = log(path).paths(0, version(path))
    dataFiles(path).map(_.getFileName.toString).filterNot(named).toSet
  }

  protected def isGone(path: String): Boolean = !Files.exists(logFolder(path))
}
