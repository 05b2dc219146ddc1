package io.colocate.tables.format

import java.io.{File, InputStream, OutputStream}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** The folder in which a log lies. Its files appear whole or not at all, and never change. */
trait LogStore {

  /** The names of the files, in any order; none where there is no folder. */
  def list(): Seq[String]

  def exists(name: String): Boolean

  /** @throws java.io.FileNotFoundException where there is no such file */
  def open(name: String): InputStream

  /**
   * Writes a file if there is none of this name. Of all that try at once, in any process, exactly
   * one succeeds.
   *
   * @return false where there was one
   * @throws java.io.IOException after which the file may be there or not
   */
  def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean

  /** The whole path of a file, for errors. */
  def path(name: String): String
}

object LogStore {

  /**
   * The store that can put if absent where the log lies.
   *
   * @param singleWriter true if nobody else writes at the same time, so that any file system will
   *                     do
   * @throws NoAtomicPut where none can
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
