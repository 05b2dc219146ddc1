package io.colocate.tables.feed

import org.apache.spark.sql.internal.SQLConf

import io.colocate.tables.commit.TableLog
import io.colocate.tables.versions.TimeTravel

/**
 * Which versions' changes are asked for: those after `since`, up to `until`.
 *
 * @param contents the rows of the version `since` come first
 */
final case class ChangeRange(since: Long, until: Long, contents: Boolean)

object ChangeRange {

  /**
   * @param since a version or a time; None is the oldest version that can be read, with its rows
   * @param until a version or a time; None is the newest version
   */
  def apply(
      log: TableLog,
      since: Option[String],
      until: Option[String],
      contents: Boolean,
      conf: SQLConf): ChangeRange = {
    def version(name: String)(text: String) = TimeTravel.version(log, name, text, conf)
    val end = until.fold(log.latestVersion)(version("until"))
    since match {
      case None => ChangeRange(log.oldestReadable.min(end), end, contents = true)
      case Some(text) => ChangeRange(version("since")(text), end, contents)
    }
  }
}
