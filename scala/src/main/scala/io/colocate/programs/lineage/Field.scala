package io.colocate.programs.lineage

import org.apache.spark.sql.catalyst.expressions.{Attribute, Cast, Expression}

/**
 * What the rows of an input lie by: a column of it, or a function of columns.
 *
 * @param expression over columns of the input, each with the same id in all scans of it
 */
final class Field(val expression: Expression) {

  private val same = expression.canonicalized

  def text: String = expression.transform { case a: Attribute => a.withQualifier(Nil) } match {
    case column: Attribute => column.name
    case function => function.sql
  }

  def form: Field.Form = expression match {
    case _: Attribute => Field.Column
    case Cast(_: Attribute, _, _, _) => Field.CastColumn
    case _ => Field.Function
  }

  override def equals(other: Any): Boolean = other match {
    case that: Field => same == that.same
    case _ => false
  }

  override def hashCode: Int = same.hashCode

  override def toString: String = text
}

object Field {

  /** How a field is computed from the columns of its input. */
  sealed abstract class Form(val name: String)
  case object Column extends Form("column")

  /** A number of another width hashes differently, so a table that lies by the column does not do. */
  case object CastColumn extends Form("cast")
  case object Function extends Form("function")
}
