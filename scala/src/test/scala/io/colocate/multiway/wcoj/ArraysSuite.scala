package io.colocate.multiway.wcoj

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Lists, dictionaries and tries against the collections of the language. */
class ArraysSuite extends AnyFunSuite {

  private def list(random: Random, length: Int, span: Int): Array[Int] =
    Seq.fill(length)(random.nextInt(span)).distinct.sorted.toArray

  test("seek finds the first value that is not less, from every place to every place") {
    for (seed <- 1 to 50) {
      val random = new Random(seed)
      val values = list(random, random.nextInt(60), 100)
      for {
        from <- 0 to values.length
        until <- from to values.length
        value <- Seq(-1, 0, random.nextInt(100), 99, 100)
      } {
        val expected = (from until until).find(values(_) >= value).getOrElse(until)
        assert(SortedInts.seek(values, from, until, value) == expected)
      }
    }
  }

  test("intersections of parts of lists, of like and of unlike lengths") {
    for (seed <- 1 to 300) {
      val random = new Random(seed)
      val a = list(random, random.nextInt(40), 300)
      val b = list(random, random.nextInt(900), 300 + random.nextInt(2000))
      val (aFrom, bFrom) = (random.nextInt(a.length + 1), random.nextInt(b.length + 1))
      val aUntil = aFrom + random.nextInt(a.length - aFrom + 1)
      val bUntil = bFrom + random.nextInt(b.length - bFrom + 1)
      val (left, right) = (a.slice(aFrom, aUntil), b.slice(bFrom, bUntil))
      val expected = left.intersect(right).toSeq
      val out = new Array[Int](left.length.min(right.length))
      val n = SortedInts.intersect(a, aFrom, aUntil, b, bFrom, bUntil, out)
      assert(out.take(n).toSeq == expected)
      assert(SortedInts.common(a, aFrom, aUntil, b, bFrom, bUntil) == expected.length)
      val kept = left.clone
      assert(kept.take(SortedInts.retain(kept, kept.length, b, bFrom, bUntil)).toSeq == expected)
      val rest = left.clone
      assert(rest.take(SortedInts.remove(rest, rest.length, b, bFrom, bUntil)).toSeq ==
        left.filterNot(right.contains).toSeq)
    }
  }

  test("marks of one list after the other: what others have in common with the last one") {
    val random = new Random(5)
    val marks = new RankBits(300)
    for (round <- 1 to 400) {
      def list(n: Int) = Array.fill(random.nextInt(n))(random.nextInt(300)).distinct.sorted
      val (marked, other) = (list(if (round % 3 == 0) 4 else 200), list(200))
      val (from, until) = (marked.length / 4, marked.length)
      while (!marks.pays(marked, from, until, 1 + until / 3)) {}
      if (round % 2 == 0) assert(marks.pays(marked, from, until, 0))
      val start = other.length / 3
      val expected = other.drop(start).filter(marked.slice(from, until).contains).toSeq
      val out = new Array[Int](other.length - start)
      assert(marks.common(other, start, other.length) == expected.length)
      val n = marks.intersect(other, start, other.length, out)
      assert(out.take(n).toSeq == expected)
    }
  }

  test(
    "a list is marked once intersections have cost its length, and only while no other one comes") {
    val marks = new RankBits(100)
    val (long, short) = (Array.range(0, 100), Array(1, 2, 3))
    def pays(list: Array[Int], price: Int) = marks.pays(list, 0, list.length, price)
    assert(!pays(long, 50) && !pays(long, 49) && pays(long, 1) && pays(long, 0))
    assert(!pays(short, 2) && pays(short, 1))
    assert(marks.common(long, 0, long.length) == 3)
    for (_ <- 1 to 10) assert(!pays(long, 99) && !pays(short, 2))
    assert(!marks.pays(long, 50, 100, 49) && marks.pays(long, 50, 100, 1))
    assert(marks.common(long, 0, long.length) == 50)
  }

  test("dictionaries keep the order, close together or far apart, up to the ends of the numbers") {
    val ends = Array(Long.MinValue, Long.MinValue + 1, -1, 0, 1, Long.MaxValue - 1, Long.MaxValue)
    val close = Array.tabulate(500)(i => (i * 37L) % 700 - 300)
    val far = Array.tabulate(500)(i => i * 0x123456789abL)
    for (column <- Seq(ends, close, far, Array.empty[Long], Array(5L), close ++ ends)) {
      val dictionary = Dictionary.of(Seq(column, column.reverse))
      val expected = column.distinct.sorted
      assert((0 until dictionary.size).map(dictionary.value) == expected.toSeq)
      assert(dictionary.ranks(expected).toSeq == expected.indices)
      val others =
        Seq(-302L, 333333L, Long.MinValue, Long.MaxValue, 0L).filterNot(expected.contains)
      others.foreach(value => assert(dictionary.rank(value) == -1, value))
    }
  }

  test("a dictionary that grows keeps its ranks") {
    val random = new Random(3)
    for (span <- Seq(50L, 1L << 40)) {
      def column() = Array.fill(30)((random.nextDouble() * span).toLong)
      val first = column()
      val grown = Seq.iterate(Dictionary.of(Seq(first)), 5)(_.grown(Seq(column(), column())))
      for ((before, after) <- grown.zip(grown.tail); rank <- 0 until before.size)
        assert(after.value(rank) == before.value(rank))
      for (each <- grown; rank <- 0 until each.size) assert(each.rank(each.value(rank)) == rank)
      assert(grown.last.rank(-7) == -1 && grown.last.later == grown.last.size - grown.head.size)
      assert(grown.last.later > 0 && (grown.last.grown(Seq(first)) eq grown.last))
    }
  }

  test("a trie has each path once, its multiplicity, and its rows") {
    for (seed <- 1 to 60; depth <- 1 to 4) {
      val random = new Random(seed)
      val (domain, n) = (1 + random.nextInt(5), random.nextInt(40))
      // A rank of -1 says that no other relation has the value.
      val columns = Array.fill(depth)(Array.fill(n)(random.nextInt(domain + 1) - 1))
      val trie = Trie.build(columns, Array.fill(depth)(domain), keepRows = true)
      val rows =
        (0 until n).map(i => columns.toSeq.map(_(i))).zipWithIndex.filter(_._1.forall(_ >= 0))
      val found = paths(trie, 0, 0 until trie.values(0).length)
      assert(found.map(_._1) == rows.map(_._1).distinct.sorted(Ordering.Implicits.seqOrdering[Seq,
        Int]))
      for ((path, leaf) <- found) {
        val first = trie.firstRow(leaf)
        val mine = trie.rows.slice(first, first + trie.multiplicity(leaf)).toSeq
        assert(mine == rows.collect { case (`path`, row) => row })
      }
    }
  }

  test("a trie that is merged with one of more rows is that of all rows") {
    for (seed <- 1 to 200; depth <- 1 to 4; keepRows <- Seq(true, false)) {
      val random = new Random(seed)
      val (domain, n) = (1 + random.nextInt(8), random.nextInt(60))
      val columns = Array.fill(depth)(Array.fill(n)(random.nextInt(domain + 1) - 1))
      // Later rows may have new values, or none.
      val grown = domain + random.nextInt(3)
      val all = columns.map(_ ++ Array.fill(seed % 12)(random.nextInt(grown + 1) - 1))
      def trie(of: Array[Array[Int]], ranks: Int) =
        Trie.build(of, Array.fill(depth)(ranks), keepRows)
      val merged =
        MergedTrie(trie(columns, domain), trie(all.map(_.drop(n)), grown), first = n, grown)
      val whole = trie(all, grown)
      def shown(of: Trie) = (of.values.map(_.toSeq).toSeq,
        of.starts.map(Option(_).map(_.toSeq)).toSeq, of.index.toSeq, Option(of.rows).map(_.toSeq))
      assert(shown(merged) == shown(whole), s"seed $seed, depth $depth")
    }
  }

  private def paths(trie: Trie, level: Int, positions: Range): Seq[(Seq[Int], Int)] =
    positions.flatMap { at =>
      val rank = trie.values(level)(at)
      if (level == trie.depth - 1) Seq(Seq(rank) -> at)
      else
        paths(trie, level + 1, trie.starts(level)(at) until trie.starts(level)(at + 1))
          .map { case (path, leaf) => (rank +: path) -> leaf }
    }

  test("the order binds the most constrained variable first, and counts what nobody wants") {
    val diamond = Seq(Set(0, 1), Set(0, 2), Set(1, 3), Set(2, 3))
    def order(driver: Set[Int], atoms: Seq[Set[Int]], wanted: Int*): VariableOrder =
      VariableOrder(driver, atoms, Nil, wanted.toSet)
    assert(order(Set(1, 2), diamond, 3) == VariableOrder(Seq(1, 2, 3, 0), 2, 3, depth = 4))
    // Below (1, 2) nothing holds 0 and 3 together.
    assert(order(Set(1, 2), diamond) == VariableOrder(Seq(1, 2, 0, 3), 2, 2, depth = 3))
    val driven = Seq(Set(0, 2), Set(1, 2), Set(1, 3), Set(2, 3))
    assert(order(Set(0, 1), driven) == VariableOrder(Seq(0, 1, 2, 3), 2, 2, depth = 4))
    // From (0, 1) two relations bound 2, one binds 3.
    assert(order(Set(0, 1), driven, 3) == VariableOrder(Seq(0, 1, 2, 3), 2, 4, depth = 4))
    // A condition binds no value, but of values that are bound as well it leaves fewer.
    def cut(conditions: Set[Int]*) =
      VariableOrder(Set(1, 2), diamond, conditions, Set.empty[Int]).order
    assert(cut(Set(2, 3)) == Seq(1, 2, 3, 0) && cut() == Seq(1, 2, 0, 3))
    assert(VariableOrder(Set(0, 1), Seq(Set(1, 2), Set(2, 3)), Seq(Set(0, 3), Set(1, 3)), Set(3))
      .order == Seq(0, 1, 2, 3))
  }
}
