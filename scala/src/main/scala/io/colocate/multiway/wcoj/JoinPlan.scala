package io.colocate.multiway.wcoj

/**
 * What a generic join computes. Variables are numbered in the order in which they are bound: first
 * those of a row of the driving relation, then those that are listed, then those that are only counted.
 *
 * @param domains   for each variable the number of its ranks
 * @param driven    how many variables come from a row of the driver
 * @param listed    how many variables get values, with those of the driver; the others are counted
 * @param relations tries with their variables, rising, in the order of the levels
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
 * @param listed whether the rows of each result are listed by whoever asks for it, from
 *               [[GenericJoin.leaf]]: then they do not count into its weight
 */
final private[multiway] case class Relation(
    trie: Trie,
    variables: Array[Int],
    listed: Boolean = false)

/** What a join asks of a relation. */
sealed private[multiway] trait Demand

private[multiway] object Demand {

  /** Each of its rows is joined. */
  case object EachRow extends Demand

  /** It has a row, however many: EXISTS. */
  case object SomeRow extends Demand

  /** It has none: NOT EXISTS, so NULL meets nothing. What NOT IN says about NULL is not for it. */
  case object NoRow extends Demand

  /** In front of the relation. */
  def word(demand: Demand): String = demand match {
    case EachRow => ""
    case SomeRow => "exists "
    case NoRow => "no "
  }
}

/** `left < right`, `left <= right` or `left <> right`. Both variables have one dictionary. */
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

/** What is computed from the values of variables; here they are known by their ranks. */
private[multiway] trait RankFunction {

  def variables: Set[Int]

  /** True of ranks that the rows may have. */
  def holds(bound: Array[Int]): Boolean

  /** True if the other variables give the value of this one. */
  def gives(variable: Int): Boolean

  /** This value's rank; -1 if it is NULL, or no relation has it. */
  def rank(variable: Int, bound: Array[Int]): Int
}

/**
 * A variable that is only counted, with those whose numbers depend on it. What is below one variable
 * and does not meet is counted apart and multiplied:
 * {{{
 *   e(b, c) drives; a and d each close a triangle with it, and do not meet: count(a) * count(d)
 * }}}
 */
final private[multiway] case class Counted(variable: Int, below: Array[Counted])

private[multiway] object Counted {

  /** The trees of the variables from `first` on, where `edges` are sets of variables that meet. */
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
