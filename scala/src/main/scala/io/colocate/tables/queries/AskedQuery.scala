package io.colocate.tables.queries

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * What is remembered of a query that has read a table; of one that reads the table more than once, of each
 * scan. Neither its text nor its user.
 *
 * @param time       when the scan's files were listed, in milliseconds; of several such queries the newest
 * @param version    the version of the table that it read
 * @param predicates its filters, joined by AND, as [[AskedPredicate]] keeps them
 * @param rows       in the files that the filters left to read
 * @param columns    that it read, by name
 * @param count      how many queries with these filters there were within a minute
 * @param id         tells it apart from all others
 * @param joins      with other Colocate tables, by columns of theirs as they are stored
 */
final case class AskedQuery(
    time: Long,
    version: Long,
    predicates: Seq[Expression],
    rows: Long,
    columns: Set[String],
    count: Int,
    id: AskedQuery.Id,
    joins: Seq[AskedJoin] = Nil) {

  /** True if the other one asked for the same within a minute: one record is enough for both. */
  private[queries] def isLike(other: AskedQuery): Boolean =
    (other.time - time).abs < AskedQuery.Minute && version == other.version &&
      columns == other.columns && joins == other.joins && predicates == other.predicates

  private[queries] def and(newer: AskedQuery): AskedQuery =
    copy(time = newer.time, rows = newer.rows, count = count + newer.count)
}

object AskedQuery {

  /**
   * @param driver one for each driver
   * @param number of the query among those of its driver
   */
  final case class Id(driver: String, number: Long)

  private val Minute = 60000L
}
