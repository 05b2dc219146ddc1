package io.colocate.tables.pruning

/**
 * What became of an expression.
 *
 * @param columns the columns that the check asks for, by position
 * @param mayFail false only if no value of these columns raises an error
 * @param inReader true if it has a form that Spark hands to a file's reader, which then skips rows
 *                without looking at the rest of the filter
 * @param gaps    why parts of it were not understood; the check takes these for anything
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
