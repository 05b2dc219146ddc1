package io.colocate.adapt

import scala.annotation.tailrec

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, ConcurrentChange, Isolation}
import io.colocate.tables.operations.Transaction
import io.colocate.tables.queries.AdaptMode

/**
 * Changes the option `adapt` of a table, in a version of its own with the same rows. As new columns do,
 * it conflicts with writes that began before.
 */
final class SetAdaptMode(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  /**
   * @param mode one of [[AdaptMode.names]]
   * @return the new version; None if the table has this mode already
   */
  def apply(mode: String): Option[Long] = tried(mode, tries = 3)

  @tailrec
  private def tried(mode: String, tries: Int): Option[Long] = {
    val base = log.snapshot()
    if (AdaptMode.of(base.metadata.options) == mode) None
    else {
      val metadata =
        base.metadata.copy(options = base.metadata.options.updated(AdaptMode.Name, mode))
      val info = CommitInfo("SET ADAPT", Map("mode" -> mode))
      val done =
        try
          Some(transaction.commit(base.version, metadata, Nil, Seq(metadata), info,
            Isolation.Layout))
        catch { case _: ConcurrentChange if tries > 1 => None }
      if (done.nonEmpty) done else tried(mode, tries - 1)
    }
  }
}
