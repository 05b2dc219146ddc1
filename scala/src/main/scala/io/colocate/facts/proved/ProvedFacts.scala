package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.{Equalities, Renaming}

/**
 * Facts that hold for every row that an operator returns, regardless of the data. Only these may justify a
 * partitioning; estimates have another type, and no code converts them to this one.
 *
 * @param constants columns that hold one value, never NULL
 * @param equal     classes of columns that hold the same bits, or are all NULL, in each row
 */
final case class ProvedFacts(
    constants: Set[ExprId],
    equal: Seq[Set[ExprId]],
    keys: Seq[Key],
    dependencies: Seq[Dependency] = Nil) {

  /** A proof that a hash of the one column is a hash of the other. */
  def equality(from: Attribute, to: Attribute): Option[ProvedEquality] =
    Option.when(from.exprId != to.exprId && equal.exists(c => c(from.exprId) && c(to.exprId)))(
      new ProvedEquality(from, to))

  /** A proof that these columns determine others; None if they determine only themselves. */
  def dependency(of: Seq[Attribute]): Option[ProvedDependency] =
    if (!dependencies.exists(_.holds)) None
    else {
      val known = closure(of, _.holds)
      Option.when(known.columns != of.map(_.exprId).toSet)(new ProvedDependency(of, known))
    }

  /** The column, and those that hold the same bits in each row. */
  def sameAs(column: ExprId): Set[ExprId] = equal.filter(_(column)).foldLeft(Set(column))(_ ++ _)

  /**
   * Declarations that nobody vouches for, and by which these columns would determine the keys; Nil if they
   * would not.
   */
  def distrusted(of: Seq[Attribute], keys: Seq[Expression]): Seq[Declared] =
    if (dependencies.forall(_.declared.forall(_.trusted))) Nil
    else {
      val all = new ProvedDependency(of, closure(of, _.nulls != NullRows.Exempt))
      if (all.determines(keys)) all.declared(keys).filterNot(_.trusted) else Nil
    }

  private def closure(of: Seq[Attribute], usable: Dependency => Boolean): Closure =
    Closure(of.map(_.exprId).toSet, constants, equal, dependencies.filter(usable))

  /** True if comparing these columns by `=` finds at most one row. NULL finds none, so a lax key suffices. */
  def findsOne(columns: Seq[Expression]): Boolean = {
    val ids = columns.collect { case a: Attribute => a.exprId }.toSet
    keys.exists(_.columns.subsetOf(ids))
  }

  /** The same facts of rows that have each value of these columns once, NULL among them. */
  private[proved] def keyedBy(columns: Set[ExprId], output: Seq[Attribute]): ProvedFacts =
    copy(keys = Key(columns, strict = true) +: keys,
      dependencies = Dependency(columns, output.map(_.exprId).toSet) +: dependencies)

  /** The facts of rows that may occur several times. What determines what stays so. */
  def repeated: ProvedFacts = copy(keys = Nil)

  /** The facts of the rows that pass a filter. */
  def where(condition: Expression): ProvedFacts =
    copy(constants = constants ++ Equalities.constants(condition))
      .withoutNull(Equalities.notNull(condition)).equating(Equalities.pairs(condition))

  /** The facts of the rows without NULL in these columns. */
  private[proved] def withoutNull(columns: Set[ExprId]): ProvedFacts =
    copy(dependencies = Dependency.withoutNull(dependencies, columns))

  /** The same facts, with these pairs of columns equal as well. */
  private[proved] def equating(pairs: Seq[(ExprId, ExprId)]): ProvedFacts =
    copy(equal = pairs.foldLeft(equal) { case (classes, (a, b)) =>
      val (touched, rest) = classes.partition(c => c(a) || c(b))
      rest :+ touched.foldLeft(Set(a, b))(_ ++ _)
    })

  /** The facts of the rows of a projection. */
  def through(list: Seq[NamedExpression]): ProvedFacts = {
    val names = new Renaming(list, equal)
    val literals = list.collect {
      case a @ Alias(Literal(value, _), _) if value != null => a.exprId
    }
    ProvedFacts(names.all(constants) ++ literals, equal.map(names.all).filter(_.size > 1),
      keys.flatMap(key => names.each(key.columns).map(columns => key.copy(columns = columns))),
      Dependency.through(dependencies, list, names)).equating(names.copies)
  }
}

object ProvedFacts {
  val Nothing: ProvedFacts = ProvedFacts(Set.empty, Nil, Nil)
}

/**
 * Columns on which no two rows agree.
 *
 * @param strict true if this holds with NULL equal to NULL, as in GROUP BY. False if rows that have NULL in
 *               one of the columns may agree, which `=` never finds equal: the rows of a left outer join
 *               without a match have NULL in all keys of the right side.
 */
final case class Key(columns: Set[ExprId], strict: Boolean) {
  def lax: Key = copy(strict = false)
}

/**
 * The proof that two columns hold the same bits, or are both NULL, in each row of one operator. Only
 * [[ProvedFacts]] creates one.
 */
final class ProvedEquality private[proved] (val from: Attribute, val to: Attribute)
    extends Serializable {

  override def equals(other: Any): Boolean = other match {
    case that: ProvedEquality => from == that.from && to == that.to
    case _ => false
  }

  override def hashCode: Int = (from, to).hashCode
}
