package io.colocate.tables.queries

/**
 * An equi-join of a table with another one, or with itself.
 *
 * @param columns      of this table, by name
 * @param other        the path of the other table
 * @param otherColumns of the other table, each joined to the column at its place in `columns`
 */
final case class AskedJoin(columns: Seq[String], other: String, otherColumns: Seq[String])
