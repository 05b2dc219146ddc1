package io.colocate.multiway.wcoj

/**
 * The order in which variables are bound: after those of the driver always the one that most relations
 * with a bound variable have, so that its list is short; among such first the ones that most conditions
 * cut, then the ones that somebody wants, as those behind the last wanted one are only counted.
 *
 * @param order  all variables, those of the driver first
 * @param driven how many the driver has
 * @param listed how many get values
 * @param depth  how many are bound one below the other at most: those that are counted apart from each
 *               other count once
 */
final private[multiway] case class VariableOrder(
    order: Seq[Int],
    driven: Int,
    listed: Int,
    depth: Int)

private[multiway] object VariableOrder {

  /**
   * @param atoms      the variables of each relation but the driver that has to have a row
   * @param conditions those of each condition that has no values to propose
   */
  def apply(
      driver: Set[Int],
      atoms: Seq[Set[Int]],
      conditions: Seq[Set[Int]],
      wanted: Set[Int]): VariableOrder = {
    val first = driver.toSeq.sorted
    val order = first ++ rest(driver, atoms, conditions, wanted)
    val listed = (order.lastIndexWhere(wanted) + 1).max(first.length)
    val place = order.zipWithIndex.toMap
    val counted =
      Counted.forest(listed, order.length, (atoms ++ conditions).map(_.map(place)))
    VariableOrder(order, first.length, listed, listed + Counted.height(counted))
  }

  private def rest(
      bound: Set[Int],
      atoms: Seq[Set[Int]],
      conditions: Seq[Set[Int]],
      wanted: Set[Int]): Seq[Int] = {
    val open = atoms.flatten.toSet -- bound
    if (open.isEmpty) Nil
    else {
      def met(by: Seq[Set[Int]])(v: Int) = by.count(atom => atom(v) && atom.exists(bound))
      val next = open.toSeq.minBy(v => (-met(atoms)(v), -met(conditions)(v), !wanted(v), v))
      next +: rest(bound + next, atoms, conditions, wanted)
    }
  }
}
