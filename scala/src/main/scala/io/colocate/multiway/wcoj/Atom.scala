package io.colocate.multiway.wcoj

/**
 * A condition on variables, as the generic join uses it: all variables before one are bound, and the
 * atom restricts the values of this next one. The atom with the fewest extensions proposes values; each
 * of the others removes those that it does not allow.
 *
 * `level` is the number of the variable among those of the atom, in the order in which the join binds
 * them. Values are ranks, and lists of them are ascending.
 */
sealed private[multiway] trait Atom {

  /** The variables, in the order in which the join binds them. */
  def variables: Array[Int]

  /** The number of values that the atom allows, or more; Int.MaxValue if it cannot propose. */
  def count(level: Int): Int

  /** Writes the values that the atom allows; returns how many they are. */
  def propose(level: Int, into: Array[Int]): Int

  /** Keeps, in place, the values that the atom allows among the first `n`; returns how many are left. */
  def validate(level: Int, values: Array[Int], n: Int): Int

  /** How many times the atom counts the bound values, once all its variables are bound. */
  def multiplicity: Long
}

/**
 * A relation. It keeps its position in the trie: where the part of each level begins and ends for the
 * values bound above. Binding a variable continues from the value bound before, as values come in order.
 */
final private[multiway] class TrieAtom(val trie: Trie, val variables: Array[Int]) extends Atom {

  val from = new Array[Int](trie.depth + 1)
  val until = new Array[Int](trie.depth + 1)
  private val position = new Array[Int](trie.depth)
  until(0) = trie.values(0).length

  /** The position in the last level of the values that are bound. */
  def leaf: Int = position(trie.depth - 1)

  /** True if every row counts once, so that the last variable need not be looked up. */
  def plain: Boolean = trie.distinct && trie.rows == null

  /** From now on, values come from the smallest again. */
  def rewind(level: Int): Unit = position(level) = from(level)

  /** Binds a variable, false if no row has the value. Values come in order, or after a rewind. */
  def bind(level: Int, rank: Int): Boolean = {
    val found =
      if (level == 0) trie.first(rank)
      else {
        val at = SortedInts.seek(trie.values(level), position(level), until(level), rank)
        if (at < until(level) && trie.values(level)(at) == rank) at else -1
      }
    if (found < 0) false
    else {
      position(level) = found
      if (level + 1 < trie.depth) {
        from(level + 1) = trie.starts(level)(found)
        until(level + 1) = trie.starts(level)(found + 1)
        position(level + 1) = from(level + 1)
      }
      true
    }
  }

  override def count(level: Int): Int = until(level) - from(level)

  override def propose(level: Int, into: Array[Int]): Int = {
    val n = count(level)
    System.arraycopy(trie.values(level), from(level), into, 0, n)
    n
  }

  override def validate(level: Int, values: Array[Int], n: Int): Int =
    SortedInts.retain(values, n, trie.values(level), from(level), until(level))

  override def multiplicity: Long = trie.multiplicity(leaf)
}

/** A condition on variables. */
sealed abstract private[multiway] class ConditionAtom extends Atom {

  /** Whether the values satisfy it, once all its variables are bound. */
  def holds: Boolean

  final override def multiplicity: Long = 1
}

/** A condition on two variables of one dictionary, where ranks have the order of values. */
sealed abstract private[multiway] class ComparisonAtom(left: Int, right: Int)
    extends ConditionAtom {

  final override val variables: Array[Int] = Array(left.min(right), left.max(right))
}

/**
 * `less < greater`, or `<=`.
 *
 * @param bound  the ranks that the join has bound, by variable
 * @param domain the number of ranks
 */
final private[multiway] class RangeAtom(
    less: Int,
    greater: Int,
    strict: Boolean,
    bound: Array[Int],
    domain: Int)
    extends ComparisonAtom(less, greater) {

  private val gap = if (strict) 1 else 0

  /** The smallest rank that the later variable may have. */
  def low: Int = if (greater > less) bound(less) + gap else 0

  /** The rank after the largest that the later variable may have. */
  def high: Int = if (less > greater) bound(greater) + 1 - gap else domain

  override def holds: Boolean = bound(less) + gap <= bound(greater)

  override def count(level: Int): Int = if (level == 0) Int.MaxValue else (high - low).max(0)

  override def propose(level: Int, into: Array[Int]): Int = {
    val n = count(level)
    var i = 0
    while (i < n) {
      into(i) = low + i
      i += 1
    }
    n
  }

  override def validate(level: Int, values: Array[Int], n: Int): Int =
    if (level == 0) n
    else {
      val first = SortedInts.seek(values, 0, n, low)
      val end = SortedInts.seek(values, first, n, high)
      System.arraycopy(values, first, values, 0, end - first)
      end - first
    }
}

/** `left <> right`: removes the one value that the earlier variable has. */
final private[multiway] class UnequalAtom(left: Int, right: Int, bound: Array[Int])
    extends ComparisonAtom(left, right) {

  override def holds: Boolean = bound(left) != bound(right)

  override def count(level: Int): Int = Int.MaxValue

  override def propose(level: Int, into: Array[Int]): Int =
    throw new UnsupportedOperationException("an inequality proposes nothing")

  override def validate(level: Int, values: Array[Int], n: Int): Int = {
    val other = bound(variables(0))
    val at = if (level == 0) n else SortedInts.seek(values, 0, n, other)
    if (at == n || values(at) != other) n
    else {
      System.arraycopy(values, at + 1, values, at, n - at - 1)
      n - 1
    }
  }
}

/** `z = f(x, y)` proposes one value for z, if z comes last; any other function checks each value. */
final private[multiway] class FunctionAtom(function: RankFunction, bound: Array[Int])
    extends ConditionAtom {

  override val variables: Array[Int] = function.variables.toArray.sorted
  private val last = variables.length - 1

  /** True if it determines the value of the last variable. */
  val proposes: Boolean = function.gives(variables(last))

  override def holds: Boolean = function.holds(bound)

  override def count(level: Int): Int = if (proposes && level == last) 1 else Int.MaxValue

  override def propose(level: Int, into: Array[Int]): Int = {
    into(0) = function.rank(variables(last), bound)
    if (into(0) < 0) 0 else 1
  }

  override def validate(level: Int, values: Array[Int], n: Int): Int =
    if (level < last) n
    else {
      var kept = 0
      var i = 0
      while (i < n) {
        bound(variables(last)) = values(i)
        values(kept) = values(i)
        if (holds) kept += 1
        i += 1
      }
      kept
    }
}

/** A relation that must not have the row: it removes values of its last variable. */
final private[multiway] class AntiAtom(relation: TrieAtom) extends Atom {

  override val variables: Array[Int] = relation.variables
  private val last = variables.length - 1
  private val met = new Array[Boolean](variables.length + 1)
  met(0) = true

  /** Binds a variable; false if that makes a row which the relation has. */
  def bind(level: Int, rank: Int): Boolean = {
    relation.rewind(level)
    met(level + 1) = met(level) && relation.bind(level, rank)
    level < last || !met(level + 1)
  }

  override def count(level: Int): Int = Int.MaxValue

  override def propose(level: Int, into: Array[Int]): Int =
    throw new UnsupportedOperationException("a negated relation proposes nothing")

  override def validate(level: Int, values: Array[Int], n: Int): Int =
    if (level < last || !met(last)) n
    else
      SortedInts.remove(values, n, relation.trie.values(last), relation.from(last),
        relation.until(last))

  override def multiplicity: Long = 1
}
