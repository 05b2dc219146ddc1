package io.colocate.adapt.window

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.tables.pruning.{Bounds, PredicateCompiler}
import io.colocate.tables.tree.Cut

/**
 * The cuts at which a filter would like a table to be cut: at each constant that it compares a column
 * with.
 *
 * {{{
 *   a < 5    (a < 5)          a >= 5   (a < 5)
 *   a <= 5   (a <= 5)         a > 5    (a <= 5)
 *   a = 5    (a < 5), (a <= 5)
 * }}}
 *
 * A cut has no neighbour "just below" a value, as texts and doubles have none; it says instead to which
 * side the value itself goes. NULL goes to neither side here: the builder chooses one.
 */
object CutPoints {

  /** Of a longer list the ends alone: a tree cannot part that many values. */
  private val MostValues = 16

  /** Longer texts are cut off in samples, by which trees are built. */
  private val MostCharacters = 64

  def of(predicates: Seq[Expression], schema: StructType): Seq[Cut] = {
    val ordinals = PredicateCompiler.byName(schema)
    predicates.flatMap(_.collect(comparisons).flatten).collect {
      case (column, value, inclusive) if ordinals(column).nonEmpty =>
        cut(column, value, inclusive)
    }.flatten.distinct
  }

  private type Point = (Attribute, Any, Boolean)

  private val comparisons: PartialFunction[Expression, Seq[Point]] = {
    case LessThan(a: Attribute, Constant(v)) => Seq((a, v, false))
    case LessThanOrEqual(a: Attribute, Constant(v)) => Seq((a, v, true))
    case GreaterThan(a: Attribute, Constant(v)) => Seq((a, v, true))
    case GreaterThanOrEqual(a: Attribute, Constant(v)) => Seq((a, v, false))
    case LessThan(Constant(v), a: Attribute) => Seq((a, v, true))
    case LessThanOrEqual(Constant(v), a: Attribute) => Seq((a, v, false))
    case GreaterThan(Constant(v), a: Attribute) => Seq((a, v, false))
    case GreaterThanOrEqual(Constant(v), a: Attribute) => Seq((a, v, true))
    case EqualTo(a: Attribute, Constant(v)) => around(a, Seq(v))
    case EqualTo(Constant(v), a: Attribute) => around(a, Seq(v))
    case EqualNullSafe(a: Attribute, Constant(v)) => around(a, Seq(v))
    case EqualNullSafe(Constant(v), a: Attribute) => around(a, Seq(v))
    case In(a: Attribute, list) if list.forall(_.foldable) => around(a, list.map(_.eval()))
    case InSet(a: Attribute, values) => around(a, values.toSeq)
    case StartsWith(a: Attribute, Constant(v: UTF8String)) =>
      (a, v: Any, false) +: next(v).map(after => (a, after: Any, false)).toSeq
  }

  private def around(a: Attribute, values: Seq[Any]): Seq[Point] = {
    val present = values.filter(_ != null)
    val ends =
      if (present.length <= MostValues || !Orderable(a.dataType)) present
      else {
        val sorted = present.sorted(Orderable.ordering(a.dataType))
        Seq(sorted.head, sorted.last)
      }
    ends.flatMap(v => Seq((a, v, false), (a, v, true)))
  }

  /** The least text after all that begin with this one, for texts that end in ASCII. */
  private def next(text: UTF8String): Option[UTF8String] = {
    val bytes = text.getBytes.clone()
    Option.when(bytes.nonEmpty && bytes.last >= 0 && bytes.last < 0x7f) {
      bytes(bytes.length - 1) = (bytes.last + 1).toByte
      UTF8String.fromBytes(bytes)
    }
  }

  private def cut(a: Attribute, value: Any, inclusive: Boolean): Option[Cut] =
    Option.when(value != null && Orderable(a.dataType) && !Bounds.isNaN(value) && isShort(value) &&
      Orderable.write(a.dataType, value).nonEmpty) {
      Cut(a.name, a.dataType, value, inclusive, nullsLeft = false)
    }

  private def isShort(value: Any): Boolean = value match {
    case text: UTF8String => text.numChars < MostCharacters
    case bytes: Array[Byte] => bytes.length < MostCharacters
    case _ => true
  }

  private object Constant {
    def unapply(e: Expression): Option[Any] = e match {
      case Literal(value, _) => Some(value)
      case _ => None
    }
  }
}
