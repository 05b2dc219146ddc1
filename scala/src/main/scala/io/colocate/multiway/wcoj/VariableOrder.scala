package io.colocate.multiway.wcoj

/**
 * The order in which variables are bound. After those of the driver, always the variable that most
 * relations with a bound variable have, so that its list is short. Among equal ones, first the one that
 * most conditions restrict, then one whose values are needed, as variables after the last needed one are
 * only counted.
 *
 * @param order  all variables, those of the driver first
 * @param driven how many variables the driver has
 * @param listed how many variables get values
 * @param depth  the most variables that are bound one below another; of those counted separately only
 *               the deepest chain counts
 */
final private[multiway] case class VariableOrder(
    order: Seq[Int],
    driven: Int,
    listed: Int,
    depth: Int)

private[multiway] object VariableOrder {

  /**
   * @param atoms      the variables of each relation but the driver that must have a row
   * @param conditions the variables of each condition, which proposes no values
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
