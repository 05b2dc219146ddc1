package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions.ExprId

/**
 * Where a dependency comes from that no plan proves: somebody has declared it for the rows of a table.
 *
 * @param text    what is declared and where, for explain(): "key (id) of default.t"
 * @param rows    the version of the table that the scan reads; None if this is not known
 * @param columns the names in the table of the columns that the dependency is about
 * @param trusted false if it is declared without anybody vouching for it; then it is never used, and is here
 *                so that explain() can say so
 * @param check   reads the table first, if the session asks for that
 */
final case class Declared(
    text: String,
    rows: Option[TableVersion],
    columns: Map[ExprId, String],
    trusted: Boolean,
    check: DeclaredCheck = DeclaredCheck.None)

/** Finds out whether what is declared is true. */
trait DeclaredCheck extends Serializable {

  /** Raises an error if it is not. Called before the rows of an operator that relies on it are computed. */
  def run(): Unit
}

object DeclaredCheck {

  /** Somebody vouches for it. */
  case object None extends DeclaredCheck {
    override def run(): Unit = ()
  }
}
