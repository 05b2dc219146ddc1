package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * A condition of a region that may fail, with the inputs that Spark has joined when it evaluates the
 * condition: rows that one of these inputs drops must never reach it.
 *
 * {{{
 *   Join (10 div a.w >= b.w)          may fail on a, ok, b: a row of a without one of ok is gone by then
 *   :- Join (a.src = ok.id)
 *   :  :- Relation a
 *   :  +- Relation ok
 *   +- Relation b
 * }}}
 *
 * @param atoms  numbers of the inputs joined before it
 * @param checks numbers of the checks made before it
 */
final private[colocate] case class MayFail(
    condition: Expression,
    atoms: Set[Int],
    checks: Set[Int]) {

  /** The same condition in the right side of a region whose left side has so many inputs and checks. */
  def after(otherAtoms: Int, otherChecks: Int): MayFail =
    copy(atoms = atoms.map(_ + otherAtoms), checks = checks.map(_ + otherChecks))
}

private[colocate] object MayFail {

  def of(conditions: Seq[Expression], atoms: Range, checks: Range): Seq[MayFail] =
    conditions.filterNot(NeverFails(_)).map(MayFail(_, atoms.toSet, checks.toSet))
}
