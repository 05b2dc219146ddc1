package io.colocate.adapt.ledger

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types._

import io.colocate.adapt.cost.{Layout, Part, PresentReads}
import io.colocate.adapt.window.{Asked, Asking}
import io.colocate.tables.pruning.Bounds
import io.colocate.tables.tree.{Cut, Leaf, RobustTree, Split}

/** What rewriting owes and may cost, over two leaves of a hundred rows. */
class LedgerSuite extends AnyFunSuite {

  private val schema = new StructType().add("a", IntegerType)
  private val query =
    Asked(Asking.asking(Seq(AttributeReference("a", IntegerType)() < 10), time = 5), schema).get
  private val cut = Cut("a", IntegerType, 10, inclusive = false, nullsLeft = false)
  private val tree = RobustTree(0, Split(cut, Leaf(1), Leaf(2)))
  private val whole =
    Layout(IndexedSeq(Part(200, _ => Bounds.unknown(floating = false))))

  /** The query reads the first leaf, or both. */
  private def reads(both: Boolean): PresentReads = new PresentReads {
    override def rows(leaf: Int): Long = 100
    override def written(leaf: Int): Long = 0
    override def read(query: Asked, leaf: Int): Long = if (both || leaf == 1) 100 else 0
  }

  private val rewritten = Ledger.of(whole, 0).rewrote(Seq(0), whole, Map(1 -> 100L, 2 -> 100L), 2.0)

  test("a rewrite owes its cost until queries have read as much less") {
    assert(rewritten.owed(1) == 200 && rewritten.owed(2) == 200 && rewritten.owed(3) == 0)
    val once = rewritten.after(query, tree, reads(both = false))
    assert(once.owed(1) == 200 && once.owed(2) == 100 && once.saved == 100 && once.until == 5)
    val twice = once.after(query, tree, reads(both = true))
    assert(twice.owed(2) == 100 && twice.saved == 100)
  }

  test("the next rewrite of the same rows pays half of what they owe, up to three times the cost") {
    assert(Price(2.0, rewritten).of(Seq(2), 100) == 200 + 100)
    val often = (1 to 5).foldLeft(rewritten)((ledger, at) =>
      ledger.rewrote(Seq(at * 2 - 1, at * 2), whole, Map(at * 2 + 1 -> 100L, at * 2 + 2 -> 100L),
        2.0))
    assert(often.owed(11) == 6 * 200 && often.owed(1) == 0 && often.rewrites.length == 1)
    assert(Price(2.0, often).of(Seq(11), 100) == 200 + 0.5 * 3 * 200)
    assert(Price(2.0).of(Seq(11), 100) == 200)
  }

  test("the table is rewritten three times, and then as often as that has saved") {
    assert(Ledger.of(whole, 0).room(200, 2.0) == 600)
    assert(rewritten.room(200, 2.0) == 400)
    // A layout that is worse than the first one may be left.
    assert(rewritten.copy(saved = -5000).room(200, 2.0) == 400)
    assert(rewritten.after(query, tree, reads(both = false)).room(200, 2.0) == 450)
    val much = rewritten.copy(rewritten = 700)
    assert(much.room(200, 2.0) == 0)
  }
}
