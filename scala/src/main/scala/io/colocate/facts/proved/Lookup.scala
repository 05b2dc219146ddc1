package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId}

/**
 * What a key finds in a stored table: the value of a column in the row of this key. Equal lookups give equal
 * keys the same value, wherever in a query.
 *
 * @param rows     the version of the table
 * @param by       the key: each of its columns by its name there, with its place among the columns that are
 *                 compared
 * @param column   the column's name there
 * @param declared that the key determines the column, and who says so
 */
final case class Lookup(rows: TableVersion, by: Seq[(Int, String)], column: String)(
    val declared: Declared) {

  /** The key by its names. */
  def key: String = by.map(_._2).mkString(", ")

  /** Those of the compared columns that are the key. */
  def among(compared: Map[Int, Attribute]): Map[Int, Attribute] = {
    val places = by.map(_._1).toSet
    compared.filter { case (place, _) => places(place) }
  }
}

/** What columns of some rows find in the table that they come from. */
object Lookups {

  /** True if some columns may find something. */
  def exist(facts: ProvedFacts): Boolean = facts.dependencies.exists(inTable(_).nonEmpty)

  /**
   * The columns that hold what a key finds, each with that; those of the table before equal ones.
   *
   * @param compared columns by their places, of which all or some may be a key
   */
  def apply(facts: ProvedFacts, compared: Map[Int, Attribute]): Seq[(ExprId, Lookup)] = for {
    dependency <- facts.dependencies
    (declared, rows) <- inTable(dependency).toSeq
    by <- places(facts, compared, dependency, declared).toSeq
    column <- dependency.determined.toSeq
    name <- declared.columns.get(column).toSeq
    same <- column +: (facts.sameAs(column) - column).toSeq
  } yield same -> Lookup(rows, by, name)(declared)

  /** Where each column of the key is among those that are compared; None if one is not. */
  private def places(
      facts: ProvedFacts,
      compared: Map[Int, Attribute],
      dependency: Dependency,
      declared: Declared): Option[Seq[(Int, String)]] = {
    val found = for {
      column <- dependency.of.toSeq
      same = facts.sameAs(column)
      place <- compared.collect { case (i, a) if same(a.exprId) => i }.minOption
      name <- declared.columns.get(column)
    } yield (place, name)
    Option.when(found.nonEmpty && found.length == dependency.of.size)(found.sortBy(_._2))
  }

  private def inTable(dependency: Dependency): Option[(Declared, TableVersion)] = for {
    declared <- dependency.declared if dependency.holds
    rows <- declared.rows
  } yield (declared, rows)
}
