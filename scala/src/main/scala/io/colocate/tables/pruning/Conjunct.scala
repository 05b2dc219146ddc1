package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.colocate.facts.expressions.Equalities

/**
 * One conjunct of a filter, compiled for checking many files.
 *
 * A file is skipped if one conjunct rules it out. Another conjunct might have raised an error on a row
 * of that file. Whether that error may be lost depends on what Spark is free to do:
 *
 *  - `a = 5 AND 1 / x > 0`: Spark evaluates conjuncts in their order and stops at the first not TRUE, so
 *    the division never sees a row without a = 5. The file may be skipped.
 *  - `1 / x > 0 AND a = 5`: the division comes first, but Spark pushes `a = 5` down to the reader, which
 *    skips row groups by it before any row is evaluated. The file may be skipped.
 *  - `1 / x > 0 AND a < b`: no reader skips rows by `a < b`, so each row reaches the division. The file
 *    must be read, unless no conjunct before can fail on its rows.
 *
 * A conjunct that may itself raise an error on some row of the file does not rule it out.
 *
 * @param compiled the compiled predicate
 * @param before   the checks of the conjuncts before it that may fail, if Spark could not skip rows by this one
 */
final class Conjunct private (
    val predicate: Expression,
    private[tables] val compiled: Compiled,
    before: Seq[Check]) {

  def check: Check = compiled.check

  /** Positions of the columns that it needs. */
  def columns: Set[Int] = compiled.columns

  /** Why it never prunes any file. */
  val never: Option[WhyKept] =
    if (compiled.check eq Check.Anything) compiled.gaps.headOption
    else if (before.contains(Check.Anything)) Some(WhyKept.BehindError)
    else None

  /** True if none of these rows passes the filter, or raises an error that Spark would raise. */
  def rulesOut(rows: KnownRows): Boolean =
    never.isEmpty && compiled.check(rows).rulesOut && !isBehindError(rows)

  /** True if [[isBehindError]] depends on the rows. */
  def isAfterErrors: Boolean = before.nonEmpty

  /** True if a conjunct before it may raise an error on one of these rows, which must not be lost. */
  def isBehindError(rows: KnownRows): Boolean = before.exists(_(rows).mayFail)
}

object Conjunct {

  /**
   * The conjuncts of a filter in Spark's order.
   *
   * @param filters joined by AND, the first being evaluated first
   * @param columns position of a column in the table's schema; None for a column that is not in the files
   */
  def of(filters: Seq[Expression], columns: Attribute => Option[Int]): Seq[Conjunct] = {
    val pruning = new PredicateCompiler(columns)
    val predicates = filters.flatMap(Equalities.conjuncts)
    val compiled = predicates.map(pruning(_))
    predicates.zip(compiled).zipWithIndex.map { case ((predicate, c), i) =>
      val before = if (c.inReader) Nil else compiled.take(i).filter(_.mayFail).map(_.check)
      new Conjunct(predicate, c, before)
    }
  }
}
