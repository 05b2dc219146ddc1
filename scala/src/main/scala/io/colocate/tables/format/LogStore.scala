package io.colocate.tables.format

import java.io.{File, InputStream, OutputStream}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** The folder of a log. A file that is put appears whole or not at all, and never changes. */
trait LogStore {

  /** The names of the files, in any order; none if there is no folder. */
  def list(): Seq[String]

  def exists(name: String): Boolean

  /** @throws java.io.FileNotFoundException if there is no such file */
  def open(name: String): InputStream

  /**
   * Writes a file if there is none of this name. If several threads or processes try at once, exactly
   * one succeeds.
   *
   * @return false if there was one
   * @throws java.io.IOException after which the file may or may not exist
   */
  def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean

  /**
   * Writes a file in place of the one that has this name, if any. Readers must be able to do without it:
   * on some file systems they may find it empty meanwhile.
   */
  def replace(name: String)(write: OutputStream => Unit): Unit

  /** Removes a file, if there is one. */
  def delete(name: String): Unit

  /** The whole path of a file, for errors. */
  def path(name: String): String
}

object LogStore {

  /**
   * The store that can put if absent on the file system of the log.
   *
   * @param singleWriter true if no other process writes at the same time, so that any file system will do
   * @return a store whose writes raise [[NoAtomicPut]], if none can
   */
  def apply(log: Path, conf: Configuration, singleWriter: Boolean): LogStore = {
    val fs = log.getFileSystem(conf)
    val path = fs.makeQualified(log)
    path.toUri.getScheme match {
      case "file" => new LocalLogStore(new File(path.toUri.getPath).toPath, singleWriter)
      case "hdfs" => new RenameLogStore(fs, path)
      case _ if fs.hasPathCapability(path, ConditionalLogStore.Capability) =>
        new ConditionalLogStore(fs, path)
      case _ if singleWriter => new SingleWriterLogStore(fs, path)
      case scheme => new ReadOnlyLogStore(fs, path, scheme)
    }
  }
}
