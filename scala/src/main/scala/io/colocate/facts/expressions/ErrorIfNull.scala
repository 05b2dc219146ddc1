package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions._

/**
 * `CASE WHEN c IS NULL THEN raise_error(...) ELSE value END`, however it is spelt: a value that may not be
 * missing, as the times of a collection of changes.
 *
 * Rows without NULL in `c` have the value, all others an error. Counter-example: `CASE WHEN c IS NULL THEN
 * 0 ELSE value END`, which has a value of its own where `c` is NULL.
 */
object ErrorIfNull {

  /** What is tested for NULL, and the value. */
  def unapply(e: Expression): Option[(Expression, Expression)] = e match {
    case CaseWhen(Seq((IsNull(tested), error)), Some(value)) if isError(error) =>
      Some((tested, value))
    case If(IsNull(tested), error, value) if isError(error) => Some((tested, value))
    case If(IsNotNull(tested), value, error) if isError(error) => Some((tested, value))
    case Coalesce(Seq(value, error)) if isError(error) => Some((value, value))
    case _ => None
  }

  private def isError(e: Expression): Boolean = e match {
    case _: RaiseError => true
    case cast: Cast => isError(cast.child)
    case _ => false
  }
}
