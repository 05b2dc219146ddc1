package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions.ExprId

/**
 * What a key finds in a stored table: the value of a column in the row of this key. Equal lookups give equal
 * keys the same value, wherever in a query.
 *
 * @param rows     the version of the table
 * @param by       the key's name there
 * @param column   the column's name there
 * @param declared that the key determines the column, and who says so
 */
final case class Lookup(rows: TableVersion, by: String, column: String)(val declared: Declared)

/** What a column of some rows finds in the table that it comes from. */
object Lookups {

  /** True if a column may find something. */
  def exist(facts: ProvedFacts): Boolean = facts.dependencies.exists(inTable(_).nonEmpty)

  /** The columns that hold what a key finds, each with that; those of the table before equal ones. */
  def apply(facts: ProvedFacts, key: ExprId): Seq[(ExprId, Lookup)] = for {
    dependency <- facts.dependencies if dependency.of.size == 1
    (declared, rows) <- inTable(dependency).toSeq
    if facts.sameAs(key)(dependency.of.head)
    by <- declared.columns.get(dependency.of.head).toSeq
    column <- dependency.determined.toSeq
    name <- declared.columns.get(column).toSeq
    same <- column +: (facts.sameAs(column) - column).toSeq
  } yield same -> Lookup(rows, by, name)(declared)

  private def inTable(dependency: Dependency): Option[(Declared, TableVersion)] = for {
    declared <- dependency.declared if dependency.holds
    rows <- declared.rows
  } yield (declared, rows)
}
