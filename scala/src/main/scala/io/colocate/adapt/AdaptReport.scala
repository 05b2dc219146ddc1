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
 * @param joinKey   the join key that the rows move to, if the table moves to another one; then `queries` are
 *                  joins, and `joins` of them were by this key, or none if it was on its way before
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
    reason: Option[Reason],
    joinKey: Option[Seq[String]] = None,
    joins: Int = 0) {

  /** What it is about, in one sentence. */
  def sentence: String = reason match {
    case Some(why) => s"nothing is rewritten, as ${why.sentence}"
    case None => joinKey.fold(rewriting)(moving)
  }

  private def rewriting: String = {
    val done = if (version.nonEmpty) "rewritten" else "to be rewritten"
    s"the last $queries queries read ${percent(readShare)} of the rows, and " +
      s"${percent(readShareAfter)} with $share of the table $done (pays after $after such queries)"
  }

  private def moving(key: Seq[String]): String = {
    val by = key.mkString(", ")
    if (joins == 0) s"$share of the table moves on to the tree by $by"
    else
      s"the last $queries joins were by $by in $joins cases: $share of the table moves to a tree by it" +
        s" (pays after $after such joins)"
  }

  private def share: String = percent(rewritten.toDouble / rows.max(1))

  private def after: Long = price.fold(0L)(_.ceil.toLong)

  private def percent(share: Double): String =
    String.format(Locale.ROOT, "%.1f %%", Double.box(100 * share))
}
