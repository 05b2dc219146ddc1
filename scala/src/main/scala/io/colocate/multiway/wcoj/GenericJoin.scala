package io.colocate.multiway.wcoj

/**
 * The worst-case optimal join, variable by variable (Ngo, Ré and Rudra, 2013): the values of the next
 * variable are those that every relation has for the values bound so far, found at the cost of the
 * shortest list. It starts from rows of a driving relation, and computes further results only on request.
 *
 * {{{
 *   join.bound(0) = rank of a; join.bound(1) = rank of b       // a row of the driver
 *   if (join.start()) while (join.next()) use(join.bound, join.weight)
 * }}}
 *
 * Rows that agree on all variables are one result here, with a weight: the product of how often each
 * relation has the row, times the number of values of the variables that are only counted;
 * [[Weight.Most]] if it is too large. Relations whose rows are listed do not count into it.
 *
 * @param generic for tests: never uses the loops for up to three relations
 * @param alive   called now and then, as one row of the driver may take hours; throws to stop
 */
final private[multiway] class GenericJoin(
    plan: JoinPlan,
    generic: Boolean = false,
    alive: () => Unit = () => ()) {

  import plan.{driven, listed, variables}

  /** The ranks that are bound, by variable. */
  val bound = new Array[Int](variables)

  private val tries = plan.relations.map(r => new TrieAtom(r.trie, r.variables)).toArray
  private val rowsListed = tries.zip(plan.relations).collect { case (t, r) if r.listed => t }.toSet
  private val computed: Seq[ConditionAtom] = plan.comparisons.map { case Comparison(a, b, by) =>
    if (by == Comparison.Unequal) new UnequalAtom(a, b, bound)
    else new RangeAtom(a, b, by == Comparison.Less, bound, plan.domains(a.max(b)))
  } ++ plan.functions.map(new FunctionAtom(_, bound))
  private val antis = plan.negated
    .map(r => new AntiAtom(new TrieAtom(r.trie, r.variables))).toArray
  private val conditions: Array[Atom] = antis ++ [Atom] computed

  private val moves = Array.tabulate(variables)(new Move(_))
  private val steps = Array.tabulate(variables) { v =>
    if (v < driven) null
    else
      JoinStep(tries.filter(_.variables.contains(v)).map(t => (t, t.variables.indexOf(v))),
        conditions.filter(_.variables.last == v), plan.domains(v), generic)
  }
  private val counted = {
    val edges = (tries ++ conditions).map((atom: Atom) => atom.variables.toSet)
    Counted.forest(listed, variables, edges.toSeq)
  }

  /** The relations of the variables that come after the driver's, with their levels. */
  private val firsts: Seq[Seq[(TrieAtom, Int)]] = {
    val next = if (listed > driven) Seq(driven) else counted.map(_.variable).toSeq
    next.map { v =>
      tries.toSeq.filter(_.variables.contains(v)).map(t => (t, t.variables.indexOf(v)))
    }
  }

  /** The weight of the values bound before each variable; none of them is 0. */
  private val weights = new Array[Long](variables + 1)
  private var depth = 0
  private var fresh = false
  private var total = 0L

  /** How many rows of the relations the bound values stand for. */
  def weight: Long = total

  /** Values looked at so far. */
  def proposals: Long = steps.iterator.filter(_ != null).map(_.proposals).sum

  /** The position in the last level of a relation's trie, once all its variables are bound. */
  def leaf(relation: Int): Int = tries(relation).leaf

  // --- Listing -----------------------------------------------------------------------------------

  /** Takes over the driver's variables; false if a relation has no such row. */
  def start(): Boolean = {
    weights(0) = 1
    depth = driven
    fresh = true
    var v = 0
    while (v < driven) {
      moves(v).rewind()
      if (!moves(v).bind(bound(v))) return false
      weights(v + 1) = Weight.times(weights(v), moves(v).multiplicity)
      v += 1
    }
    if (listed > driven) enter(driven)
    true
  }

  /** How many values are looked at first, after [[start]]: the shortest list of the next variable. */
  def ahead: Long = firsts.map(_.map { case (t, level) => t.count(level).toLong }.min).sum

  /** Binds the next values; false after the last ones. */
  def next(): Boolean = if (listed == driven) once() else walk()

  private def once(): Boolean = fresh && {
    fresh = false
    weighed()
  }

  private def walk(): Boolean = {
    while (true) {
      val step = steps(depth)
      if (step.next == step.found) {
        if (depth == driven) return false
        depth -= 1
      } else {
        val rank = step.values(step.next)
        step.next += 1
        look()
        if (moves(depth).bind(rank)) {
          weights(depth + 1) = Weight.times(weights(depth), moves(depth).multiplicity)
          if (depth + 1 < listed) {
            depth += 1
            enter(depth)
          } else if (weighed()) return true
        }
      }
    }
    false
  }

  private var looks = 0

  private def look(): Unit = {
    looks += 1
    if ((looks & GenericJoin.BetweenLooks) == 0) alive()
  }

  private def enter(variable: Int): Unit = {
    steps(variable).fill()
    steps(variable).next = 0
    moves(variable).rewind()
  }

  private def weighed(): Boolean = {
    val tail = product(counted)
    total = if (tail == 0) 0 else Weight.times(weights(listed), tail)
    total > 0
  }

  // --- Counting ----------------------------------------------------------------------------------

  private def product(trees: Array[Counted]): Long = {
    var result = 1L
    var i = 0
    while (i < trees.length && result > 0) {
      result = Weight.times(result, count(trees(i)))
      i += 1
    }
    result
  }

  private def count(tree: Counted): Long = {
    val step = steps(tree.variable)
    val move = moves(tree.variable)
    if (move.idle && tree.below.length == 0) step.count()
    else {
      step.fill()
      move.rewind()
      var sum = 0L
      var i = 0
      while (i < step.found) {
        look()
        if (move.bind(step.values(i))) {
          val below = product(tree.below)
          if (below > 0)
            sum = Weight.plus(sum, Weight.times(below, move.multiplicity))
        }
        i += 1
      }
      sum
    }
  }

  // --- Binding -----------------------------------------------------------------------------------

  /** What must move when a variable is bound. A relation that ends there and counts once need not. */
  final private class Move(variable: Int) {
    private val here = tries.filter(_.variables.contains(variable))
      .filterNot(t => variable >= driven && t.variables.last == variable && t.plain)
    private val levels = here.map(_.variables.indexOf(variable))
    private val ending =
      here.filter(t => t.variables.last == variable && !t.trie.distinct && !rowsListed(t))
    // A step removes the values that a negated relation has of its last variable.
    private val against = antis.filter(anti =>
      anti.variables.contains(variable) && (variable < driven || anti.variables.last != variable))
    private val againstLevels = against.map(_.variables.indexOf(variable))
    // A step checks its own conditions; the driver's variables have no step.
    private val between =
      computed.filter(c => variable < driven && c.variables.last == variable).toArray

    def idle: Boolean = here.isEmpty && against.isEmpty

    def rewind(): Unit = {
      var i = 0
      while (i < here.length) {
        here(i).rewind(levels(i))
        i += 1
      }
    }

    def bind(rank: Int): Boolean = {
      bound(variable) = rank
      var i = 0
      while (i < here.length) {
        if (!here(i).bind(levels(i), rank)) return false
        i += 1
      }
      i = 0
      while (i < against.length) {
        if (!against(i).bind(againstLevels(i), rank)) return false
        i += 1
      }
      i = 0
      while (i < between.length) {
        if (!between(i).holds) return false
        i += 1
      }
      true
    }

    def multiplicity: Long = {
      var result = 1L
      var i = 0
      while (i < ending.length) {
        result = Weight.times(result, ending(i).multiplicity)
        i += 1
      }
      result
    }
  }
}

private[multiway] object GenericJoin {

  /** A bit mask: each value is followed by a search, and some thousand of them take less than a second. */
  private val BetweenLooks = 0xfff
}
