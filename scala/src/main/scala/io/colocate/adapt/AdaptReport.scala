package io.colocate.adapt

import io.colocate.report.Reason

/**
 * What [[Adapt]] has done, or would do.
 *
 * @param version   the version that it made; None if it made none
 * @param queries   how many queries with filters it looked at
 * @param rewritten the rows that are written anew; `rows` are all rows of the table
 * @param readShare the share of the table's rows that these queries would read today, in the mean;
 *                  `readShareAfter` what is expected after the rewriting
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
    price: Option[Double],
    reason: Option[Reason])
