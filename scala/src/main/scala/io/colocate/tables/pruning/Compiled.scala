package io.colocate.tables.pruning

/**
 * A compiled expression.
 *
 * @param columns the columns that the check needs, by position
 * @param mayFail false only if no value of these columns raises an error
 * @param inReader true if Spark pushes it down to a file's reader, which then skips rows without
 *                 evaluating the rest of the filter
 * @param gaps    why parts of it were not understood; for the check these may have any result
 */
final private[tables] case class Compiled(
    check: Check,
    columns: Set[Int],
    mayFail: Boolean,
    inReader: Boolean,
    gaps: Seq[WhyKept]) {

  def and(right: Compiled): Compiled = joined(right, new Check.Both(check, right.check))

  def or(right: Compiled): Compiled = joined(right, new Check.Either(check, right.check))

  def not: Compiled = copy(check = new Check.Negated(check))

  private def joined(right: Compiled, by: Check): Compiled =
    Compiled(by, columns ++ right.columns, mayFail || right.mayFail, inReader && right.inReader,
      gaps ++ right.gaps)
}

private[tables] object Compiled {

  def unknown(why: WhyKept): Compiled =
    Compiled(Check.Anything, Set.empty, mayFail = true, inReader = false, Seq(why))

  def apply(check: Check, operands: Seq[Operand], inReader: Boolean): Compiled =
    Compiled(check, operands.flatMap(_.column).toSet, operands.exists(_.mayFail),
      inReader && operands.forall(_.inReader), Nil)
}
