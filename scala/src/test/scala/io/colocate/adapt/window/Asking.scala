package io.colocate.adapt.window

import org.apache.spark.sql.catalyst.expressions.Expression

import io.colocate.tables.queries.AskedQuery

/** Queries for tests that need their filters alone. */
object Asking {

  def asking(predicates: Seq[Expression], count: Int = 1, time: Long = 1): AskedQuery =
    AskedQuery(time, version = 0, predicates, rows = 0, columns = Set.empty, count,
      AskedQuery.Id("test", 0))
}
