package io.colocate.tables.pruning

import scala.util.control.NonFatal

// Spark has SQL functions of the names Left and Right.
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.expressions.ErrorIfNull
import io.colocate.facts.types.Orderable

/**
 * Compiles a predicate to a check: its abstract interpretation over ranges of columns.
 *
 * Valid for deterministic predicates over columns that statistics and cuts order as Spark's comparisons
 * do (see [[Orderable]]). An expression that is not understood may have any result: TRUE, so that the
 * file is kept, and an error, so that no later conjunct hides one. `a = 1 OR f(b)` keeps every file;
 * `a = 1 AND f(b)` still prunes by a.
 *
 * Counter-examples: `s = 'a'` in a case-insensitive collation, where statistics by bytes would rule out
 * 'A'; `a + 1 > 0`, where a range of a that overflows gives no range of a + 1; `rand() < 0.5`.
 *
 * @param columns position in the table's schema; None for an attribute that is not a column of the files.
 *                Attributes are best identified by their ids, see also [[PredicateCompiler.byName]]
 */
final class PredicateCompiler(columns: Attribute => Option[Int]) {

  private type Known[T] = Either[WhyKept, T]

  private[tables] def apply(predicate: Expression): Compiled = predicate match {
    case e if !e.resolved || e.dataType != BooleanType => unsupported(e)
    case e if !e.deterministic => Compiled.unknown(WhyKept.NotDeterministic)
    case e if e.foldable => always(e)
    case And(left, right) => apply(left).and(apply(right))
    case Or(left, right) => apply(left).or(apply(right))
    case Not(child) => apply(child).not
    case a: Attribute => compare(a, Literal.TrueLiteral, Relation.Equal)
    case EqualTo(left, right) => compare(left, right, Relation.Equal)
    case LessThan(left, right) => compare(left, right, Relation.Less)
    case LessThanOrEqual(left, right) => compare(left, right, Relation.Less | Relation.Equal)
    case GreaterThan(left, right) => compare(left, right, Relation.Greater)
    case GreaterThanOrEqual(left, right) =>
      compare(left, right, Relation.Greater | Relation.Equal)
    case EqualNullSafe(left, right) => related(left, right, new NullSafeEquality(_, _, _))
    case In(value, list) => oneOf(value, list)
    case InSet(value, set) => oneOf(value, set.toSeq.map(Literal(_, value.dataType)))
    case StartsWith(text, prefix) => startsWith(text, prefix)
    case other => ofPresence(other)
  }

  private def unsupported(e: Expression): Compiled =
    Compiled.unknown(WhyKept.NotSupported(if (e.resolved) e.prettyName else e.nodeName))

  private def always(e: Expression): Compiled = settled(constant(e).map { c =>
    val outcome = c.value match {
      case null => Possible.Null
      case value => if (value == true) Possible.True else Possible.False
    }
    Compiled(new Check.Always(outcome), Nil, inReader = true)
  })

  private def settled(known: Known[Compiled]): Compiled =
    known.fold(Compiled.unknown, identity)

  private def compare(left: Expression, right: Expression, accepts: Int): Compiled =
    related(left, right, new Comparison(_, _, _, accepts))

  private def related(
      left: Expression,
      right: Expression,
      check: (Operand, Operand, Ordering[Any]) => Check): Compiled =
    settled(for {
      a <- operand(left)
      b <- operand(right)
      ordering <- ordering(a, Seq(b))
    } yield Compiled(check(a, b, ordering), Seq(a, b),
        inReader = a.column.isEmpty || b.column.isEmpty))

  private def oneOf(value: Expression, list: Seq[Expression]): Compiled =
    if (!list.forall(_.foldable)) Compiled.unknown(WhyKept.NotSupported("in"))
    else
      settled(for {
        operand <- operand(value)
        values <- constants(list)
        ordering <- ordering(operand, values)
      } yield Compiled(new OneOf(operand, values.map(_.value), ordering), Seq(operand),
          inReader = true))

  private def startsWith(text: Expression, prefix: Expression): Compiled = settled(for {
    operand <- operand(text)
    start <- operandOfText(prefix)
    ordering <- ordering(operand, Seq(start))
  } yield start.value match {
    case prefix: UTF8String =>
      Compiled(new Prefix(operand, prefix, ordering), Seq(operand), inReader = true)
    case _ => Compiled(new Check.Always(Possible.Null), Seq(operand), inReader = true)
  })

  private def operandOfText(prefix: Expression): Known[Operand.Constant] =
    if (prefix.foldable) constant(prefix) else Left(WhyKept.NotSupported("startswith"))

  /** Predicates that test for a value; they need no order. */
  private def ofPresence(predicate: Expression): Compiled = predicate match {
    case IsNull(child) =>
      settled(operand(child).map(o => Compiled(new NoValue(o), Seq(o), inReader = true)))
    case IsNotNull(child) =>
      settled(operand(child).map(o => Compiled(new NoValue(o), Seq(o), inReader = true).not))
    case IsNaN(child) =>
      settled(operand(child).map(o => Compiled(new NotANumber(o), Seq(o), inReader = false)))
    case AtLeastNNonNulls(n, children) =>
      settled(all(children.map(operand)).map(os =>
          Compiled(new EnoughValues(n, os.toArray), os, inReader = false)))
    case _: PlanExpression[_] => Compiled.unknown(WhyKept.KnownAtRunTime)
    case other => unsupported(other)
  }

  private def operand(e: Expression): Known[Operand] = e match {
    case _ if e.foldable => constant(e)
    case a: Attribute =>
      columns(a).map(Operand.Column(_, a.dataType)).toRight(WhyKept.Unknown(a.name))
    case c: Cast =>
      for {
        child <- operand(c.child)
        cast <- OrderKeepingCast(c).toRight(WhyKept.Reorders(c.child.dataType, c.dataType))
      } yield Operand.Casted(child, c.dataType, cast)
    case ErrorIfNull(tested, value) =>
      for {
        null_ <- operand(tested)
        present <- operand(value)
        both <- Either.cond(null_.column == present.column, Operand.Checked(null_, present),
          WhyKept.NotSupported(e.prettyName))
      } yield both
    case _: PlanExpression[_] => Left(WhyKept.KnownAtRunTime)
    case other => Left(WhyKept.NotSupported(other.prettyName))
  }

  /** The current time and its like are constants only once Spark has replaced them by literals. */
  private def constant(e: Expression): Known[Operand.Constant] =
    if (e.containsPattern(CURRENT_LIKE)) Left(WhyKept.KnownAtRunTime)
    else
      try Right(Operand.Constant(e.dataType, e.eval()))
      catch { case NonFatal(_) => Left(WhyKept.RaisesError) }

  private def constants(list: Seq[Expression]): Known[Seq[Operand.Constant]] =
    all(list.map(constant))

  private def all[T](known: Seq[Known[T]]): Known[Seq[T]] =
    known.collectFirst { case Left(why) => Left(why) }
      .getOrElse(Right(known.collect { case Right(value) => value }))

  /** The order in which all of these operands are compared. */
  private def ordering(first: Operand, others: Seq[Operand]): Known[Ordering[Any]] =
    (first +: others).map(_.dataType).find(!Orderable(_)) match {
      case Some(unordered) => Left(WhyKept.NotOrdered(unordered))
      case None if others.forall(o => alike(first.dataType, o.dataType)) =>
        Right(Orderable.ordering(first.dataType))
      case None => Left(WhyKept.NotSupported("a comparison of unlike types"))
    }

  /** CHAR, VARCHAR and STRING are compared by the same bytes. */
  private def alike(a: DataType, b: DataType): Boolean = (a, b) match {
    case (_: StringType, _: StringType) => true
    case _ => a == b
  }
}

object PredicateCompiler {

  /**
   * Finds columns by name, for callers that have a schema but not the relation's attributes.
   *
   * A column of the same name but another type is a different column, made above the scan. So is a
   * metadata column such as `_metadata`, even if the files have a column of this name.
   */
  def byName(schema: StructType): Attribute => Option[Int] = {
    val ordinals = schema.fieldNames.zipWithIndex.toMap
    a =>
      ordinals.get(a.name)
        .filter(i => schema(i).dataType == a.dataType && !MetadataAttribute.isValid(a.metadata))
  }
}
