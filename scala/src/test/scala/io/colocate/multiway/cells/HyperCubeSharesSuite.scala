package io.colocate.multiway.cells

import org.scalatest.funsuite.AnyFunSuite

/** The sides of cubes, against the figures for inputs of one size. */
class HyperCubeSharesSuite extends AnyFunSuite {

  private val triangle = Seq("ab", "bc", "ac")
  private val square = Seq("ab", "bc", "cd", "ad")

  private def shares(edges: Seq[String], bytes: Seq[Double] = Nil): HyperCubeShares = {
    val inputs = edges.zipAll(bytes, "", 1e6).map { case (e, b) => (e.map(_ - 'a').toSet, b) }
    new HyperCubeShares(inputs, edges.flatten.max - 'a' + 1)
  }

  /** Sides, in rising order, and the rows of a cell in proportion to those of an input. */
  private def cube(edges: Seq[String], most: Int): (Seq[Int], Double) = {
    val found = shares(edges)
    val cells = found.of(most)
    (cells.shares.sorted, (found.load(cells) / 1e6 * 100).round / 100.0)
  }

  test("triangles, rings and relations of three variables") {
    assert(cube(triangle, 8) == (Seq(2, 2, 2), 0.75))
    assert(cube(triangle, 64) == (Seq(4, 4, 4), 0.19))
    assert(cube(triangle, 200) == (Seq(5, 5, 8), 0.09))
    assert(cube(square, 64) == (Seq(1, 1, 8, 8), 0.5))
    assert(cube(Seq("abc", "abd", "acd", "bcd"), 64) == (Seq(2, 2, 4, 4), 0.19))
  }

  test("an input that is small beside the others is sent everywhere") {
    val cells = shares(triangle, Seq(1e9, 1e9, 1e3)).of(64)
    assert(cells.shares == Seq(1, 64, 1))
  }

  test("no more cells than asked for, and no row to more than eight in the mean") {
    for (most <- Seq(1, 2, 3, 5, 100); edges <- Seq(triangle, square))
      assert(shares(edges).of(most).count <= most)
    val clique = for (a <- 'a' to 'f'; b <- 'a' to 'f' if a < b) yield s"$a$b"
    val cells = shares(clique).of(1000)
    val sent = clique.map(e => cells.copies(e.map(_ - 'a'))).sum
    assert(sent <= 8 * clique.length && cells.count > 8)
  }

  test("sixteen inputs: the best that a bounded search finds") {
    val ring = (0 until 16).map(i => s"${('a' + i).toChar}${('a' + (i + 1) % 16).toChar}")
    assert(shares(ring).of(200).count > 1)
  }
}
