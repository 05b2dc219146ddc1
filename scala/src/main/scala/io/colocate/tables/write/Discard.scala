package io.colocate.tables.write

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging

/** Deletes files that no version names. A file that stays does no harm: a vacuum finds it. */
private[tables] object Discard extends Logging {

  def apply(files: Iterable[Path], conf: Configuration): Unit = files.foreach { file =>
    try file.getFileSystem(conf).delete(file, false)
    catch { case NonFatal(e) => logWarning(s"$file could not be deleted; a vacuum will.", e) }
  }
}
