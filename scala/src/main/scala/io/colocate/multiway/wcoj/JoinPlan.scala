package io.colocate.multiway.wcoj

/**
 * The definition of a generic join. Variables are numbered in the order in which they are bound: first
 * those of a row of the driving relation, then those that are listed, then those that are only counted.
 *
 * @param domains   the number of ranks of each variable
 * @param driven    how many variables come from a row of the driver
 * @param listed    how many variables get values, including those of the driver; the others are counted
 * @param relations tries with their variables, ascending, in the order of the levels
 * @param comparisons of variables
 * @param negated   relations that must not have the row
 * @param functions of variables
 */
final private[multiway] case class JoinPlan(
    domains: Array[Int],
    driven: Int,
    listed: Int,
    relations: Seq[Relation],
    comparisons: Seq[Comparison] = Nil,
    negated: Seq[Relation] = Nil,
    functions: Seq[RankFunction] = Nil) {

  def variables: Int = domains.length
}

/**
 * @param listed whether the caller lists the rows of each result, from [[GenericJoin.leaf]]: then they
 *               do not count into its weight
 */
final private[multiway] case class Relation(
    trie: Trie,
    variables: Array[Int],
    listed: Boolean = false)

/** What a join requires of a relation. */
sealed private[multiway] trait Demand

private[multiway] object Demand {

  /** Each of its rows is joined. */
  case object EachRow extends Demand

  /** It must have at least one row: EXISTS. */
  case object SomeRow extends Demand

  /**
   * It must have no row: NOT EXISTS, so NULL equals nothing. Not for NOT IN, which treats NULL otherwise.
   */
  case object NoRow extends Demand

  /** The text in front of the relation. */
  def word(demand: Demand): String = demand match {
    case EachRow => ""
    case SomeRow => "exists "
    case NoRow => "no "
  }
}

/** `left < right`, `left <= right` or `left <> right`. Both variables share one dictionary. */
final private[multiway] case class Comparison(left: Int, right: Int, by: Comparison.Operator) {

  def map(variable: Int => Int): Comparison = copy(variable(left), variable(right))

  def variables: Set[Int] = Set(left, right)

  override def toString: String = s"v$left ${by.sign} v$right"
}

private[multiway] object Comparison {
  sealed abstract class Operator(val sign: String)
  case object Less extends Operator("<")
  case object LessOrEqual extends Operator("<=")
  case object Unequal extends Operator("<>")
}

/** A function of the values of variables, which are given by their ranks. */
private[multiway] trait RankFunction {

  def variables: Set[Int]

  /** True if rows may have these ranks. */
  def holds(bound: Array[Int]): Boolean

  /** True if the other variables determine the value of this one. */
  def gives(variable: Int): Boolean

  /** This value's rank; -1 if it is NULL, or no relation has it. */
  def rank(variable: Int, bound: Array[Int]): Int
}

/**
 * A variable that is only counted, with those whose counts depend on it. Variables below one variable
 * that are not connected are counted separately and multiplied:
 * {{{
 *   e(b, c) drives; a and d each close a triangle with it, and do not meet: count(a) * count(d)
 * }}}
 */
final private[multiway] case class Counted(variable: Int, below: Array[Counted])

private[multiway] object Counted {

  /** The trees of the variables from `first` on, where `edges` are sets of connected variables. */
  def forest(first: Int, variables: Int, edges: Seq[Set[Int]]): Array[Counted] =
    trees((first until variables).toSet, edges).toArray

  def height(forest: Array[Counted]): Int =
    forest.map(tree => 1 + height(tree.below)).maxOption.getOrElse(0)

  private def trees(variables: Set[Int], edges: Seq[Set[Int]]): Seq[Counted] =
    if (variables.isEmpty) Nil
    else {
      val top = variables.min
      val part = reachable(Set(top), variables, edges)
      Counted(top, trees(part - top, edges).toArray) +: trees(variables -- part, edges)
    }

  private def reachable(from: Set[Int], within: Set[Int], edges: Seq[Set[Int]]): Set[Int] = {
    val more = from ++ edges.filter(_.exists(from)).flatten.filter(within)
    if (more == from) from else reachable(more, within, edges)
  }
}
