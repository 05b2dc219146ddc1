package io.colocate.multiway.core

/** Finds the values that one variable may have after those before it are bound. */
sealed abstract private[core] class Step {

  /** What was found, rising; the first [[found]] are valid. */
  var values: Array[Int] = new Array[Int](16)
  var found = 0

  /** How far a walk through the values has come. */
  var next = 0

  /** Values looked at so far: for each search the length of the shortest list. */
  var proposals = 0L

  /** Finds the values. */
  def fill(): Unit

  /** The number of values, without writing them where that can be avoided. */
  def count(): Int = {
    fill()
    found
  }

  final protected def room(n: Int): Unit = if (values.length < n) values = new Array[Int](n + n / 2)
}

private[core] object Step {

  /**
   * @param tries  the relations of the variable, each with its level there
   * @param ranges those that bound it by a variable before it
   * @param antis  the negated relations of which it is the last variable
   */
  def apply(
      tries: Array[(TrieAtom, Int)],
      ranges: Array[RangeAtom],
      antis: Array[AntiAtom],
      generic: Boolean): Step =
    if (generic || tries.length > 3) new GenericStep(tries, ranges, antis)
    else new ListStep(tries.map(_._1), tries.map(_._2), ranges, antis)
}

/** The published step: the atom with the fewest extensions proposes, the others validate. */
final private[core] class GenericStep(
    tries: Array[(TrieAtom, Int)],
    ranges: Array[RangeAtom],
    antis: Array[AntiAtom])
    extends Step {

  private val atoms: Array[(Atom, Int)] = tries.map { case (trie, level) => (trie: Atom, level) } ++
    ranges.map(range => (range: Atom, 1)) ++
    antis.map(anti => (anti: Atom, anti.variables.length - 1))

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
 * The same for up to three relations, without a copy: ranges cut the lists before they are looked at,
 * the two shortest are intersected, then the third.
 */
final private[core] class ListStep(
    tries: Array[TrieAtom],
    levels: Array[Int],
    ranges: Array[RangeAtom],
    antis: Array[AntiAtom])
    extends Step {

  private val lists = new Array[Array[Int]](tries.length)
  private val from = new Array[Int](tries.length)
  private val until = new Array[Int](tries.length)

  override def fill(): Unit = {
    look()
    val shortest = until(0) - from(0)
    room(shortest)
    tries.length match {
      case 1 =>
        System.arraycopy(lists(0), from(0), values, 0, shortest)
        found = shortest
      case _ =>
        found = SortedInts.intersect(lists(0), from(0), until(0), lists(1), from(1), until(1),
          values)
        if (tries.length == 3)
          found = SortedInts.retain(values, found, lists(2), from(2), until(2))
    }
    var i = 0
    while (i < antis.length) {
      found = antis(i).validate(antis(i).variables.length - 1, values, found)
      i += 1
    }
  }

  override def count(): Int =
    if (antis.length > 0 || tries.length > 2) super.count()
    else {
      look()
      if (tries.length == 1) until(0) - from(0)
      else SortedInts.common(lists(0), from(0), until(0), lists(1), from(1), until(1))
    }

  /** The lists as they are now, the shortest first. */
  private def look(): Unit = {
    var i = 0
    while (i < tries.length) {
      lists(i) = tries(i).trie.values(levels(i))
      from(i) = tries(i).from(levels(i))
      until(i) = tries(i).until(levels(i))
      i += 1
    }
    if (ranges.length > 0) cut()
    if (tries.length > 1) order(0, 1)
    if (tries.length > 2) {
      order(1, 2)
      order(0, 1)
    }
    proposals += until(0) - from(0)
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

  private def order(i: Int, j: Int): Unit = if (until(i) - from(i) > until(j) - from(j)) {
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
