package io.colocate.adapt.simulate

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.types._

import io.colocate.adapt.change.Replan
import io.colocate.adapt.cost.SampleRanks
import io.colocate.adapt.ledger.Price
import io.colocate.adapt.window.{Asked, Asking, Window}
import io.colocate.tables.tree.{CutColumn, RobustTree, Sample, SizeDrivenBuilder, TreeRequest}

/** Sequences of queries over a few thousand rows: what is asked of the default planner, and its bounds. */
class SimulationSuite extends AnyFunSuite {

  private val columns = ('a' to 'j').map(_.toString)
  private val schema = StructType(columns.map(StructField(_, IntegerType)))
  private val attributes = columns.map(AttributeReference(_, IntegerType)())
  private val WriteCost = 2.0
  private val Leaves = 32

  private val rows: Sample = {
    val random = new Random(7)
    Sample(CutColumn.among(schema),
      IndexedSeq.fill(8000)(columns.indices.map { i =>
        if (i == 9 && random.nextInt(10) == 0) null else random.nextInt(1000): Any
      }.toArray))
  }
  private val weights = columns.map(_ -> 1.0).toMap
  private val seen = rows.copy(rows = rows.rows.take(2000))
  private val start =
    RobustTree(0, new SizeDrivenBuilder().build(TreeRequest(seen, weights, Leaves)))

  private val rowsOfLeaf = rows.rows.length.toDouble / Leaves

  private def setting(windows: Seq[Int] = Seq(20, 60)): Setting =
    Setting(new SampleRanks(seen, schema), weights, Set.empty, WriteCost, windows, rows.rows.length,
      rowsOfLeaf, 2)

  private def simulation(only: String*): Simulation =
    new Simulation(new SampleRanks(rows, schema), start, setting(), only.toSet)

  private def asked(predicates: Expression*): Asked =
    Asked(Asking.asking(predicates), schema).get

  /** A twentieth of a column, somewhere. */
  private def narrow(column: Int, random: Random): Asked = {
    val low = random.nextInt(950)
    asked(attributes(column) >= low, attributes(column) < low + 50)
  }

  private def sequence(seed: Int, length: Int)(column: (Int, Random) => Int): IndexedSeq[Asked] = {
    val random = new Random(seed)
    (0 until length).map(at => narrow(column(at, random), random).at(at + 1L))
  }

  private def total(way: Followed): Double =
    (way.read.sum + WriteCost * way.rewritten.sum) / way.unchanged.sum

  private def adapted(queries: IndexedSeq[Asked]): Followed =
    simulation("adapted").replayed(queries).head

  test("one column, two in turns, and no column again and again: what is asked") {
    val same = adapted(sequence(1, 80)((_, _) => 0))
    assert(total(same) <= 0.7)
    val turns = adapted(sequence(2, 80)((at, _) => at % 2))
    assert(total(turns) <= 0.8)
    val any = adapted(sequence(3, 80)((_, random) => random.nextInt(10)))
    assert(total(any) <= 1.05)
  }

  test(
    "phases: better than never adapted and than the published planner, but not than who knows them") {
    val queries = sequence(4, 120)((at, _) => at / 30)
    val simulated = simulation("adapted", "published")
    val found = simulated.replayed(queries).map(way => way.name -> total(way)).toMap
    val random = new Random(5)
    val known =
      simulated.known(queries, (0 until 4).map(c => IndexedSeq.fill(20)(narrow(c, random))))
    assert(found("adapted") <= 0.8 && found("adapted") <= 0.9 * found("published"))
    assert(total(known) <= found("adapted"))
  }

  test("rewriting never costs more than what was read, nor more than it saved and the credit") {
    for (seed <- 10 until 14) {
      val queries = sequence(seed, 60) { (at, random) =>
        if (random.nextInt(4) == 0) random.nextInt(10) else at / 15 * (seed % 3)
      }
      bounded(adapted(queries))
    }
    val random = new Random(6)
    val pool = (0 until 8).map(narrow(_, random))
    bounded(simulation("adapted").worst(pool, 60).head)
  }

  private def bounded(way: Followed): Unit = {
    val size = rows.rows.length
    way.read.indices.foreach { at =>
      val (read, written) = (way.read.take(at + 1).sum, way.rewritten.take(at + 1).sum)
      assert(WriteCost * written <= read)
      if (way.rewritten(at) > 0) {
        assert(WriteCost * written <= 3 * WriteCost * size +
          (way.unchanged.take(at + 1).sum - read).max(0L) + 1)
      }
    }
  }

  test("leaves keep their size") {
    val table = new MemoryTable(new SampleRanks(rows, schema), start)
    val way = new Replanned("adapted", setting(), debt = false, ledger = false)
    val queries = sequence(9, 200)((at, _) => at / 10 % 7)
    var changes = 0
    queries.indices.foreach { at =>
      way.ran(table, queries(at))
      if (at % 2 == 1) way.planned(table, queries.take(at + 1)).foreach { tree =>
        way.rewrote(table, table.rewrite(tree, at + 1L))
        changes += 1
      }
    }
    val sizes = table.tree.leafIds.map(id => table.rows(id))
    val target = rowsOfLeaf
    assert(changes > 5)
    assert(sizes.sum == rows.rows.length)
    assert(sizes.max <= 2 * target, sizes)
    assert(sizes.count(_ < target / 4) <= 0.05 * sizes.length, sizes)
    assert(sizes.length <= 1.2 * Leaves)
  }

  test("the same queries give the same tree, leaf for leaf") {
    val queries = sequence(11, 40)((at, random) => if (at % 3 == 0) random.nextInt(10) else 2)
    val trees = Seq.fill(2) {
      val table = new MemoryTable(new SampleRanks(rows, schema), start)
      val replan = new Replan(start, Window(queries), table, new SampleRanks(seen, schema), weights,
        Price(WriteCost), rows.rows.length, Set.empty, _.leaves.length)
      start.withRoot(replan.changed(replan.choices))
    }
    assert(trees.head == trees.last && trees.head != start)
  }
}
