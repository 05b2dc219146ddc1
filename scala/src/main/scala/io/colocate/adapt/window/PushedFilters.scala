package io.colocate.adapt.window

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.StructType

import io.colocate.tables.queries.AskedPredicate

/**
 * Reads the filters of a scan as Spark's plans print them: `[IsNotNull(a), Or(LessThan(a,5),In(b,[1,2]))]`.
 * Values stand without quotes, so they are read by the types of their columns.
 *
 * Counter-example: `EqualTo(s,a)b)`, a text with a bracket of its own. What cannot be read, or names a column
 * that the schema does not have, is unknown.
 *
 * @param zone that of the session that will use the filters, for timestamps
 */
final private[adapt] class PushedFilters(schema: StructType, zone: String) {

  /** Filters joined by AND; None if the text is no list of filters. */
  def read(text: String): Option[Seq[Expression]] =
    inBrackets(text.trim, '[', ']').map(list =>
      parts(list).filter(_.nonEmpty).map(filter(_).getOrElse(AskedPredicate.Unknown)))

  private def filter(text: String): Option[Expression] = text.split("\\(", 2) match {
    case Array(name, rest) if rest.endsWith(")") =>
      val inner = rest.dropRight(1)
      name match {
        case "And" => both(inner)(And(_, _))
        case "Or" => both(inner)(Or(_, _))
        case "Not" => filter(inner).map(Not(_))
        case "IsNull" => column(inner).map(IsNull(_))
        case "IsNotNull" => column(inner).map(IsNotNull(_))
        case _ => ofValue(name, inner)
      }
    case _ => None
  }

  private def both(text: String)(make: (Expression, Expression) => Expression): Option[Expression] =
    parts(text) match {
      case Seq(left, right) =>
        for {
          a <- filter(left)
          b <- filter(right)
        } yield make(a, b)
      case _ => None
    }

  private def ofValue(name: String, text: String): Option[Expression] = text.split(",", 2) match {
    case Array(of, value) =>
      column(of).flatMap { column =>
        def literal(make: Literal => Expression) = value_(column, value.trim).map(make)
        name match {
          case "EqualTo" => literal(EqualTo(column, _))
          case "EqualNullSafe" => literal(EqualNullSafe(column, _))
          case "LessThan" => literal(LessThan(column, _))
          case "LessThanOrEqual" => literal(LessThanOrEqual(column, _))
          case "GreaterThan" => literal(GreaterThan(column, _))
          case "GreaterThanOrEqual" => literal(GreaterThanOrEqual(column, _))
          case "StringStartsWith" => literal(StartsWith(column, _))
          case "In" =>
            inBrackets(value.trim, '[', ']').flatMap { list =>
              val found = parts(list).map(value_(column, _))
              Option.when(found.forall(_.nonEmpty))(In(column, found.flatten))
            }
          case _ => None
        }
      }
    case _ => None
  }

  private def column(name: String): Option[Attribute] = {
    val plain = inBrackets(name, '`', '`').getOrElse(name)
    schema.find(_.name == plain).map(field => AttributeReference(field.name, field.dataType)())
  }

  private def value_(of: Attribute, text: String): Option[Literal] =
    if (text == "null") Some(Literal(null, of.dataType))
    else {
      val cast = Cast(Literal(text), of.dataType, Some(zone), EvalMode.ANSI)
      Try(Literal(cast.eval(), of.dataType)).toOption.filter(_.value != null)
    }

  private def inBrackets(text: String, open: Char, close: Char): Option[String] =
    Option.when(text.length > 1 && text.head == open && text.last == close)(text.substring(1,
      text.length - 1))

  /** Parts by commas that stand in no bracket. */
  private def parts(text: String): Seq[String] = {
    val depths = text.scanLeft(0)((depth, c) =>
      if (c == '(' || c == '[') depth + 1 else if (c == ')' || c == ']') depth - 1 else depth)
    val commas = text.indices.filter(i => text(i) == ',' && depths(i) == 0)
    (-1 +: commas).zip(commas :+ text.length).map { case (a, b) => text.substring(a + 1, b).trim }
  }
}
