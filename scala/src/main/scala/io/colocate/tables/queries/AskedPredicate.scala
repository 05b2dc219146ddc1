package io.colocate.tables.queries

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.sql.types.{BooleanType, DataType}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable

/**
 * What is kept of a predicate once its query is gone: comparisons of columns with constants, and how AND,
 * OR and NOT put them together. All else becomes [[AskedPredicate.Unknown]], of which nothing is known,
 * as nothing is known of it when files are pruned.
 *
 * {{{
 *   a < 5 AND f(b) AND c IN (SELECT ...)      =>      a < 5 AND unknown AND unknown
 * }}}
 *
 * So no plan, function or table stays in memory with it, and it can be written to a file.
 *
 * @param secret a text with such a part is not kept
 */
final class AskedPredicate(secret: Option[scala.util.matching.Regex]) {

  import AskedPredicate._

  def apply(e: Expression): Expression = e match {
    case _ if !e.resolved || e.dataType != BooleanType || !e.deterministic => Unknown
    case _ if e.foldable => operand(e).getOrElse(Unknown)
    case And(left, right) => And(apply(left), apply(right))
    case Or(left, right) => Or(apply(left), apply(right))
    case Not(child) => Not(apply(child))
    case c: BinaryComparison => both(c.left, c.right)((a, b) => c.withNewChildren(Seq(a, b)))
    case StartsWith(text, prefix) => both(text, prefix)(StartsWith(_, _))
    case In(value, list) if list.length <= LongestList =>
      all(value +: list)(kept => In(kept.head, kept.tail))
    case InSet(value, set) if set.size <= LongestList =>
      apply(In(value, set.toSeq.map(Literal(_, value.dataType))))
    case IsNull(child) => one(child)(IsNull(_))
    case IsNotNull(child) => one(child)(IsNotNull(_))
    case IsNaN(child) => one(child)(IsNaN(_))
    case other => operand(other).getOrElse(Unknown)
  }

  private def one(e: Expression)(make: Expression => Expression): Expression =
    operand(e).fold[Expression](Unknown)(make)

  private def both(a: Expression, b: Expression)(
      make: (Expression, Expression) => Expression): Expression =
    all(Seq(a, b))(kept => make(kept.head, kept(1)))

  private def all(operands: Seq[Expression])(make: Seq[Expression] => Expression): Expression = {
    val kept = operands.flatMap(operand)
    if (kept.length == operands.length) make(kept) else Unknown
  }

  private def operand(e: Expression): Option[Expression] = e match {
    case _ if e.foldable => constant(e)
    case a: Attribute if !MetadataAttribute.isValid(a.metadata) => Some(column(a.name, a.dataType))
    case c: Cast => operand(c.child).map(child => c.copy(child = child))
    case _ => None
  }

  private def constant(e: Expression): Option[Literal] =
    if (e.containsPattern(CURRENT_LIKE) || !Orderable(e.dataType)) None
    else
      try Some(Literal(e.eval(), e.dataType)).filter(isKept)
      catch { case NonFatal(_) => None }

  private def isKept(literal: Literal): Boolean = literal.value match {
    case null => true
    case text: UTF8String =>
      text.numBytes <= LongestText && !secret.exists(_.findFirstIn(text.toString).nonEmpty)
    case value => Orderable.write(literal.dataType, value).exists(_.length <= LongestText)
  }
}

object AskedPredicate {

  /** A condition of which nothing is known: it is no column of any table. */
  val Unknown: Attribute = column("", BooleanType)

  /** For people. */
  def sql(predicate: Expression): String = predicate.transform { case Unknown =>
    AttributeReference("unknown", BooleanType)()
  }.sql

  /** The same column is the same attribute in all queries. */
  private[queries] def column(name: String, dataType: DataType): Attribute =
    AttributeReference(name, dataType)(ExprId(0, NoQuery))

  private val NoQuery = new java.util.UUID(0, 0)

  /** A longer list says little, and takes memory. */
  private val LongestList = 1000

  private val LongestText = 1000
}
