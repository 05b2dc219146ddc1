package io.colocate.adapt

import io.colocate.report.{AdaptReasons, Reason}
import io.colocate.tables.commit.{HistoryEntry, LayoutSpace}
import io.colocate.tables.snapshot.Snapshot

/**
 * Files stay for older versions when their rows are rewritten, until there is a vacuum. They may take no
 * more space than the options allow.
 *
 * @param commits those of the log, the newest first
 */
final private class OlderFiles(options: AdaptOptions, base: Snapshot, commits: Seq[HistoryEntry]) {

  private val most = (options.space * base.files.totalBytes).toLong
  private lazy val older = LayoutSpace(commits.iterator, base, most)

  /** Why so many bytes of files may not be rewritten, if they may not. */
  def lackSpace(more: Long): Option[Reason] =
    Option.when(more > 0 && older + more > most)(Reason(AdaptReasons.AdaptSpace,
      "older" -> s"$older", "more" -> s"$more", "bytes" -> s"$most"))
}
