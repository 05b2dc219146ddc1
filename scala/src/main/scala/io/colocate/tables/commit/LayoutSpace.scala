package io.colocate.tables.commit

import io.colocate.tables.snapshot.Snapshot

/**
 * The space that compacting and adapting have cost: files that only older versions need, because newer
 * ones have the same rows in other files. They stay until a vacuum removes them.
 *
 * Each such commit says in its metrics how much it replaced. A file that an overwrite replaced does not
 * count, as its rows are not in the table any more.
 */
private[colocate] object LayoutSpace {

  /** The metric of a commit: the bytes of the files that it replaced by files with the same rows. */
  val Removed: String = "bytesRemoved"

  /** So many of the newest commits are looked at, each by the beginning of its entry. */
  private val MostVersions = 1000

  /**
   * @param commits the newest first, from the snapshot's version on
   * @return the bytes; no less than `enough` if there are as many, where counting ends
   */
  def apply(commits: Iterator[HistoryEntry], newest: Snapshot, enough: Long): Long = {
    val kept = newest.vacuumed.fold(0L)(_.oldestVersion)
    val removed = commits.takeWhile(_.version > kept).take(MostVersions)
      .map(_.info.metrics.getOrElse(Removed, 0L))
    var sum = 0L
    while (sum < enough && removed.hasNext) sum += removed.next()
    sum
  }
}
