package io.colocate.adapt.window

import org.apache.spark.sql.types.StructType

import io.colocate.tables.pruning.{Conjunct, KnownRows, PredicateCompiler}
import io.colocate.tables.queries.AskedQuery
import io.colocate.tables.tree.Cut

/**
 * A query that has read a table, compiled against the columns that the table has now.
 *
 * @param time    when it ran, in milliseconds
 * @param cuts    the cuts that would help it
 * @param columns the columns that it filters by
 * @param weight  the share of a row's bytes that it reads, by the columns that it needs
 */
final class Asked private (
    val time: Long,
    val conjuncts: Seq[Conjunct],
    val cuts: Seq[Cut],
    val columns: Set[Int],
    val weight: Double) {

  /** The same query at another time. */
  def at(time: Long): Asked = new Asked(time, conjuncts, cuts, columns, weight)

  private val byColumn: Map[Int, Seq[Conjunct]] =
    columns.iterator.map(column => column -> conjuncts.filter(_.columns(column))).toMap

  /** True if it has to read these rows, by what is known of them. */
  def reads(rows: KnownRows): Boolean = !conjuncts.exists(_.rulesOut(rows))

  /** The same of some of the rows that it reads, of which more is known by this column alone. */
  def readsBy(column: Int, rows: KnownRows): Boolean =
    !byColumn.getOrElse(column, Nil).exists(_.rulesOut(rows))
}

object Asked {

  /** None for a query without a filter on columns: it reads everything under every tree. */
  def apply(query: AskedQuery, schema: StructType): Option[Asked] = {
    val conjuncts = Conjunct.of(query.predicates, PredicateCompiler.byName(schema))
    val columns = conjuncts.filter(_.never.isEmpty).flatMap(_.columns).toSet
    Option.when(columns.nonEmpty) {
      new Asked(query.time, conjuncts, CutPoints.of(query.predicates, schema), columns,
        weight(query, schema))
    }
  }

  /** Of a query whose columns are not known the whole row counts. */
  private[adapt] def weight(query: AskedQuery, schema: StructType): Double =
    if (query.columns.isEmpty) 1.0 else RowShare(schema, query.columns).max(LeastWeight)

  /** Even a query of one narrow column has to open each file. */
  private val LeastWeight = 0.01
}
