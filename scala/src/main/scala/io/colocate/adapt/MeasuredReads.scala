package io.colocate.adapt

import org.apache.spark.sql.types.StructType

import io.colocate.adapt.window.Asked
import io.colocate.tables.queries.AskedQuery

/** What queries have read since a table was adapted, to hold against what had been expected of it. */
final class MeasuredReads(queries: Seq[AskedQuery], schema: StructType) {

  private val asked = queries.filter(Asked(_, schema).nonEmpty)

  /**
   * @param from  the version that adapting made; `until` is the one that did so next, if there is one
   * @param rows  of the table
   * @return the share of the rows that queries with filters have read, in the mean; None if none has run
   */
  def share(from: Long, until: Option[Long], rows: Long): Option[Double] = {
    val some = asked.filter(query => query.version >= from && until.forall(query.version < _))
    val count = some.iterator.map(_.count.toLong).sum
    Option.when(count > 0 && rows > 0)(
      some.iterator.map(query => query.rows.toDouble * query.count).sum / count / rows)
  }
}
