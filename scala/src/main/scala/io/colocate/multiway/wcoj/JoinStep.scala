package io.colocate.multiway.wcoj

/** Finds the values that one variable may have after those before it are bound. */
sealed abstract private[multiway] class JoinStep {

  /** The values found, ascending; the first [[found]] are valid. */
  var values: Array[Int] = new Array[Int](16)
  var found = 0

  /** The position of a walk through the values. */
  var next = 0

  /** Values looked at so far: for each search the length of the shortest list. */
  var proposals = 0L

  /** Finds the values. */
  def fill(): Unit

  /** The number of values, without writing them if that can be avoided. */
  def count(): Int = {
    fill()
    found
  }

  final protected def room(n: Int): Unit = if (values.length < n) values = new Array[Int](n + n / 2)
}

private[multiway] object JoinStep {

  /**
   * @param tries      the relations of the variable, each with its level there
   * @param conditions other atoms whose last variable it is
   * @param domain     the number of ranks of the variable
   */
  def apply(
      tries: Array[(TrieAtom, Int)],
      conditions: Array[Atom],
      domain: Int,
      generic: Boolean): JoinStep =
    if (generic || tries.length > 3 || conditions.exists(proposes))
      new GenericStep(tries, conditions)
    else {
      val ranges = conditions.collect { case range: RangeAtom => range }
      new ListStep(tries.map(_._1), tries.map(_._2), ranges,
        conditions.filterNot(_.isInstanceOf[RangeAtom]), new RankBits(domain))
    }

  private def proposes(condition: Atom): Boolean = condition match {
    case function: FunctionAtom => function.proposes
    case _ => false
  }
}

/** The published step: the atom with the fewest extensions proposes, the others validate. */
final private[multiway] class GenericStep(tries: Array[(TrieAtom, Int)], conditions: Array[Atom])
    extends JoinStep {

  private val atoms: Array[(Atom, Int)] = tries.map { case (trie, level) => (trie: Atom, level) } ++
    conditions.map(condition => (condition, condition.variables.length - 1))

  override def fill(): Unit = {
    val ordered = atoms.sortBy { case (atom, level) => atom.count(level) }
    val (first, level) = ordered.head
    room(first.count(level))
    found = first.propose(level, values)
    proposals += found
    var i = 1
    while (i < ordered.length && found > 0) {
      found = ordered(i)._1.validate(ordered(i)._2, values, found)
      i += 1
    }
  }
}

/**
 * The same for up to three relations, without a copy: ranges cut the lists first, the two shortest are
 * intersected, then the third.
 */
final private[multiway] class ListStep(
    tries: Array[TrieAtom],
    levels: Array[Int],
    ranges: Array[RangeAtom],
    conditions: Array[Atom],
    marks: RankBits)
    extends JoinStep {

  private val lists = new Array[Array[Int]](tries.length)
  private val from = new Array[Int](tries.length)
  private val until = new Array[Int](tries.length)

  override def fill(): Unit = {
    look()
    tries.length match {
      case 1 =>
        room(length(0))
        System.arraycopy(lists(0), from(0), values, 0, length(0))
        found = length(0)
      case n =>
        found = both()
        if (n == 3) found = SortedInts.retain(values, found, lists(2), from(2), until(2))
    }
    var i = 0
    while (i < conditions.length) {
      found = conditions(i).validate(conditions(i).variables.length - 1, values, found)
      i += 1
    }
  }

  override def count(): Int =
    if (conditions.length > 0 || tries.length > 2) super.count()
    else {
      look()
      if (tries.length == 1) length(0)
      else if (marked()) marks.common(lists(0), from(0), until(0))
      else SortedInts.common(lists(0), from(0), until(0), lists(1), from(1), until(1))
    }

  private def both(): Int =
    if (marked()) {
      room(length(0))
      marks.intersect(lists(0), from(0), until(0), values)
    } else {
      room(length(0).min(length(1)))
      SortedInts.intersect(lists(0), from(0), until(0), lists(1), from(1), until(1), values)
    }

  private def length(i: Int): Int = until(i) - from(i)

  /** Gets the current lists, the two shortest first. */
  private def look(): Unit = {
    var i = 0
    while (i < tries.length) {
      lists(i) = tries(i).trie.values(levels(i))
      from(i) = tries(i).from(levels(i))
      until(i) = tries(i).until(levels(i))
      i += 1
    }
    if (ranges.length > 0) cut()
    if (tries.length > 2) {
      order(1, 2)
      order(0, 2)
    }
    proposals += (if (tries.length > 1) length(0).min(length(1)) else length(0))
  }

  private def cut(): Unit = {
    var low = 0
    var high = Int.MaxValue
    var i = 0
    while (i < ranges.length) {
      low = low.max(ranges(i).low)
      high = high.min(ranges(i).high)
      i += 1
    }
    i = 0
    while (i < tries.length) {
      from(i) = SortedInts.seek(lists(i), from(i), until(i), low)
      until(i) = SortedInts.seek(lists(i), from(i), until(i), high)
      i += 1
    }
  }

  /**
   * True if one of the first two lists is marked; it is the second one then. A list is marked if it is
   * the same as the last time, and has come often enough; never one so short that looking up each of its
   * values in the other one is cheaper.
   */
  private def marked(): Boolean = {
    val first = again(0)
    val second = again(1)
    if (first && !second) swap(0, 1)
    (first || second) && !SortedInts.sparse(length(1), length(0)) &&
    marks.pays(lists(1), from(1), until(1), SortedInts.price(length(0), length(1)))
  }

  private val lastLists = new Array[Array[Int]](2)
  private val lastFrom = new Array[Int](2)
  private val lastUntil = new Array[Int](2)

  private def again(i: Int): Boolean = {
    val same =
      (lists(i) eq lastLists(i)) && from(i) == lastFrom(i) && until(i) == lastUntil(i)
    lastLists(i) = lists(i)
    lastFrom(i) = from(i)
    lastUntil(i) = until(i)
    same
  }

  private def order(i: Int, j: Int): Unit = if (length(i) > length(j)) swap(i, j)

  private def swap(i: Int, j: Int): Unit = {
    val list = lists(i)
    lists(i) = lists(j)
    lists(j) = list
    val start = from(i)
    from(i) = from(j)
    from(j) = start
    val end = until(i)
    until(i) = until(j)
    until(j) = end
  }
}
