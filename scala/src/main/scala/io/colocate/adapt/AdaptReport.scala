package io.colocate.adapt

import java.util.Locale

import io.colocate.report.Reason

/**
 * What [[Adapt]] has done, or would do.
 *
 * @param version   the version that it made; None if it made none
 * @param queries   how many queries with filters it looked at
 * @param rewritten the rows that are written anew; `rows` are all rows of the table
 * @param readShare the share of the table's rows that these queries would read today, in the mean;
 *                  `readShareAfter` what is expected after the rewriting
 * @param writeCost what it costs to rewrite a row, in rows read, as it was reckoned with
 * @param price     after so many such queries the rewriting has paid; None if nothing is rewritten
 * @param reason    why nothing is rewritten
 */
final case class AdaptReport(
    version: Option[Long],
    queries: Int,
    rewritten: Long,
    rows: Long,
    readShare: Double,
    readShareAfter: Double,
    writeCost: Double,
    price: Option[Double],
    reason: Option[Reason]) {

  /** What it is about, in one sentence. */
  def sentence: String = reason match {
    case Some(why) => s"nothing is rewritten, as ${why.sentence}"
    case None =>
      def percent(share: Double) = String.format(Locale.ROOT, "%.1f %%", Double.box(100 * share))
      val done = if (version.nonEmpty) "rewritten" else "to be rewritten"
      s"the last $queries queries read ${percent(readShare)} of the rows, and " +
        s"${percent(readShareAfter)} with ${percent(rewritten.toDouble / rows.max(1))} of the table $done " +
        s"(pays after ${price.fold(0L)(_.ceil.toLong)} such queries)"
  }
}
