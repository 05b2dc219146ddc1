package io.colocate.adapt.cost

import io.colocate.tables.format.CommitInfo

/**
 * What reading some columns of rows took.
 *
 * @param millis of all tasks together
 * @param rows   how many rows with all columns it comes to
 */
final case class ReadTime(millis: Long, rows: Long)

/**
 * What it costs to rewrite a row of a table, in rows read: the time of the tasks that wrote rows, against
 * that of the tasks that read some, as the commits of this table have noted it when it was adapted. The
 * newest counts as much as all older ones.
 *
 * A table that was not adapted yet has none.
 */
object WriteCost {

  private val WriteMillis = "writeTaskMillis"
  private val ReadMillis = "readTaskMillis"
  private val ReadRows = "rowsSampled"
  private val Written = "rowsAdded"

  /** What a commit notes. */
  def metrics(writeMillis: Option[Long], read: Option[ReadTime]): Map[String, Long] =
    writeMillis.map(WriteMillis -> _).toMap ++
      read.toSeq.flatMap(time => Seq(ReadMillis -> time.millis, ReadRows -> time.rows))

  /** @param commits the newest first; the first [[MostCommits]] are looked at */
  def apply(commits: Iterator[CommitInfo]): Option[Double] = {
    val measured = commits.take(MostCommits).flatMap(of).take(MostMeasured).toSeq
    measured.reverse.reduceOption((older, newer) => (older + newer) / 2).map(_.max(Least).min(Most))
  }

  private def of(commit: CommitInfo): Option[Double] = {
    def metric(name: String) = commit.metrics.get(name).filter(_ > 0).map(_.toDouble)
    for {
      write <- metric(WriteMillis)
      written <- metric(Written)
      read <- metric(ReadMillis)
      rows <- metric(ReadRows)
    } yield (write / written) / (read / rows)
  }

  private val MostCommits = 200
  private val MostMeasured = 4

  val Least: Double = 2
  val Most: Double = 500
}
