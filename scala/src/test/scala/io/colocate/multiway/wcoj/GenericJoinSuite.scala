package io.colocate.multiway.wcoj

import scala.util.Random

import io.colocate.multiway.wcoj.Comparison.{Less, LessOrEqual, Unequal}
import org.scalatest.funsuite.AnyFunSuite

/** The join against nested loops: every driver, every order of the variables, duplicates everywhere. */
class GenericJoinSuite extends AnyFunSuite {

  private def rows(random: Random, arity: Int, values: Int, count: Int): Seq[Seq[Long]] =
    Seq.fill(count)(Seq.fill(arity)(random.nextInt(values).toLong))

  private def check(query: Query): Int = {
    val expected = query.byLoops
    for {
      driver <- query.atoms.indices
      order <- query.orders(driver)
      listed <- query.atoms(driver)._1.length to query.variables
      generic <- Seq(false, true)
    } {
      val kept = order.take(listed).sorted
      val grouped = expected.groupMapReduce { case (row, _) => kept.map(row) }(_._2)(_ + _)
      assert(query.byJoin(driver, order, listed, generic) == grouped,
        s"driver $driver, order $order, $listed listed, generic $generic")
    }
    expected.size
  }

  private val shapes = Map("triangle" -> Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2)),
    "chorded diamond" -> Seq(Seq(0, 1), Seq(0, 2), Seq(1, 2), Seq(1, 3), Seq(2, 3)),
    "4-cycle" -> Seq(Seq(0, 1), Seq(0, 2), Seq(1, 3), Seq(2, 3)),
    "4-clique" -> Seq(Seq(0, 1), Seq(0, 2), Seq(0, 3), Seq(1, 2), Seq(1, 3), Seq(2, 3)),
    "Loomis-Whitney" -> Seq(Seq(0, 1, 2), Seq(1, 2, 3), Seq(2, 3, 0), Seq(3, 0, 1)),
    "star and path" -> Seq(Seq(0, 1), Seq(0, 2), Seq(2, 3)),
    "four lists" -> Seq(Seq(0, 1, 2), Seq(2, 3), Seq(1, 3), Seq(0, 3), Seq(0, 1, 3)),
    "a single variable" -> Seq(Seq(0, 1), Seq(1), Seq(1, 0)))

  for ((name, atoms) <- shapes)
    test(s"$name: every driver and order gives the product of all multiplicities") {
      var found = 0
      for (seed <- 1 to 4) {
        val random = new Random(seed)
        val values = if (atoms.exists(_.length > 2)) 2 else if (atoms.length > 4) 3 else 4
        found += check(Query(atoms.map(vars => vars -> rows(random, vars.length, values, 14))))
      }
      assert(found > 0)
    }

  test("comparisons of variables, strict and not, in both directions, and inequalities") {
    for {
      seed <- 1 to 3
      compared <- Seq(Seq(Comparison(0, 1, Less), Comparison(1, 2, Less)),
        Seq(Comparison(2, 0, LessOrEqual)), Seq(Comparison(0, 2, Unequal)),
        Seq(Comparison(1, 0, LessOrEqual), Comparison(0, 2, Less)),
        Seq(Comparison(1, 0, Unequal), Comparison(0, 2, Unequal), Comparison(2, 1, Less)))
    } {
      val random = new Random(seed)
      val atoms = shapes("triangle").map(_ -> rows(random, 2, 5, 18))
      assert(check(Query(atoms, compared)) < Query(atoms).byLoops.size)
    }
  }

  test("a function proposes the value of the last variable, and looks at those of others") {
    for (seed <- 1 to 3;
      sums <- Seq(Seq(Sum(Seq(0, 1), 2, 5)), Seq(Sum(Seq(2), 0, 3)),
        Seq(Sum(Seq(0, 2), 1, 4), Sum(Seq(0, 1, 2), 2, 9)))) {
      val random = new Random(seed)
      val atoms = shapes("triangle").map(_ -> rows(random, 2, 5, 18))
      val all = Query(atoms).byLoops
      val found = check(Query(atoms, sums = sums))
      assert(found == all.keys.count(row => sums.forall(sum => sum.of(row) == row(sum.result))))
      assert(found < all.size)
    }
  }

  test("negated relations strike out rows, whatever variable comes last") {
    for (seed <- 1 to 3; vars <- Seq(Seq(0, 2), Seq(1, 0), Seq(2), Seq(0, 1, 2))) {
      val random = new Random(seed)
      val atoms = shapes("triangle").map(_ -> rows(random, 2, 4, 14))
      val negated = Seq(vars -> rows(random, vars.length, 4, 5))
      val all = Query(atoms).byLoops
      val left = Query(atoms, negated = negated)
      assert(check(left) == all.keys.count(row => !negated.head._2.contains(vars.map(row))))
    }
  }

  test("relations that have to have a row count it once") {
    for (seed <- 1 to 3; vars <- Seq(Seq(0, 2), Seq(1), Seq(0, 1, 2))) {
      val random = new Random(seed)
      val atoms = shapes("triangle").map(_ -> rows(random, 2, 4, 14))
      val twice = rows(random, vars.length, 4, 9)
      val all = Query(atoms).byLoops
      val left = Query(atoms, exists = Seq(vars -> (twice ++ twice)))
      assert(check(left) == all.keys.count(row => twice.contains(vars.map(row))))
      assert(left.byLoops.forall { case (row, n) => all(row) == n })
    }
  }

  test("relations without rows, of one value, and values that no other relation has") {
    val triangle = shapes("triangle")
    val one = Seq.fill(3)(Seq(7L, 7L))
    assert(check(Query(triangle.map(_ -> one))) == 1)
    assert(Query(triangle.map(_ -> one)).byLoops.values.sum == 27)
    for (empty <- 0 until 3)
      assert(check(Query(triangle.zipWithIndex.map { case (vars, i) =>
      vars -> (if (i == empty) Nil else one)
    })) == 0)
    assert(check(Query(Seq(Seq(0, 1) -> Seq(Seq(1L, 2L)), Seq(1, 2) -> Seq(Seq(3L, 4L)),
      Seq(0, 2) -> Seq(Seq(1L, 4L))))) == 0)
  }

  test("a listing stops when nobody asks for more, and starts anew with the next row") {
    val edges = for (a <- 0L until 20L; b <- 0L until 20L if a != b) yield Seq(a, b)
    val query = Query(shapes("triangle").map(_ -> edges))
    assert(query.byJoin(0, Seq(0, 1, 2), 3).size == 20 * 19 * 18)
    val dictionary = Dictionary.of(Seq(Array.range(0, 20).map(_.toLong)))
    val columns = Array(0, 1).map(i => dictionary.ranks(edges.map(_(i)).toArray))
    val trie = Trie.build(columns, Array(20, 20), keepRows = false)
    val join = new GenericJoin(JoinPlan(Array(20, 20, 20), driven = 2, listed = 3,
      Seq(Relation(trie, Array(1, 2)), Relation(trie, Array(0, 2)))))
    for ((a, b) <- Seq((0, 1), (5, 3), (0, 1))) {
      join.bound(0) = a
      join.bound(1) = b
      assert(join.start() && join.next() && join.next() && join.weight == 1)
    }
    join.bound(1) = 0
    join.bound(0) = 0
    assert(join.start() && Iterator.continually(join.next()).takeWhile(identity).length == 19)
  }

  test("whoever cancels is heard in the middle of one row of the driver") {
    val dictionary = Dictionary.of(Seq(Array.range(0, 60).map(_.toLong)))
    val edges = for (a <- 0L until 60L; b <- 0L until 60L if a != b) yield Seq(a, b)
    val columns = Array(0, 1).map(i => dictionary.ranks(edges.map(_(i)).toArray))
    val trie = Trie.build(columns, Array(60, 60), keepRows = false)
    // A driver of one variable, and all pairs of neighbours of five others.
    val others = for (i <- 0 until 6; j <- i + 1 until 6) yield Relation(trie, Array(i, j))
    for (listed <- Seq(1, 6)) {
      var looks = 0
      val join = new GenericJoin(JoinPlan(Array.fill(6)(60), driven = 1, listed, others),
        alive = () => {
          looks += 1
          if (looks == 3) throw new InterruptedException
        })
      join.bound(0) = 0
      intercept[InterruptedException](if (join.start()) while (join.next()) ())
      assert(looks == 3)
    }
  }
}
