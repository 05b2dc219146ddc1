package io.colocate.adapt.change

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types._

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.{Asked, Asking, Window}
import io.colocate.tables.tree.{Cut, CutColumn, Leaf, Node, RobustTree, Sample, Split}

/** The published planner beside all plans that its transformations allow, on trees of up to four leaves. */
class BruteForceSuite extends AnyFunSuite {

  private val columns = Seq("a", "b")
  private val schema = StructType(columns.map(StructField(_, IntegerType)))
  private val attributes = columns.map(AttributeReference(_, IntegerType)())

  private def cut(column: String, value: Int) =
    Cut(column, IntegerType, value, inclusive = true, nullsLeft = false)

  private def tree(leaves: Int, random: Random): Node =
    if (leaves == 1) Leaf(Leaf.NoId)
    else {
      val left = 1 + random.nextInt(leaves - 1)
      Split(cut(columns(random.nextInt(2)), random.nextInt(9)), tree(left, random),
        tree(leaves - left, random))
    }

  /** Each tree that a cut can be brought into, with the rows that are written. */
  private def all(node: Node, by: Cut, path: CutPath, query: Asked): Seq[Node] = node match {
    case Leaf(_) => Seq(node)
    case Split(own, _, _) if Transformations.sameCut(own, by) => Seq(node)
    case here @ Split(own, left, right) =>
      val below = for {
        one <- all(left, by, path.left(own), query)
        two <- all(right, by, path.right(own), query)
      } yield Split(own, one, two)
      val moved = below.flatMap { split =>
        val tops = Seq(split.left, split.right)
          .collect { case Split(top, _, _) => Transformations.sameCut(top, by) }
        if (tops == Seq(true, true)) Transformations.pushup(split)
        else if (tops.contains(true)) Transformations.rotate(split)
        else None
      }
      val column = schema.fieldIndex(by.column)
      val within = Seq(path.left(by), path.right(by)).forall(_.bounds(column).mayBeValue)
      val swapped =
        Option.when(within && reads(here, path, query))(Transformations.swap(here, by))
      below ++ moved ++ swapped
  }

  private def reads(node: Node, path: CutPath, query: Asked): Boolean = node match {
    case Leaf(_) => query.reads(path)
    case Split(cut, left, right) =>
      reads(left, path.left(cut), query) && reads(right, path.right(cut), query)
  }

  private def read(
      node: Node,
      rows: IndexedSeq[Int],
      path: CutPath,
      query: Asked,
      sample: Sample): Int =
    node match {
      case Leaf(_) => if (query.reads(path)) rows.length else 0
      case Split(cut, left, right) =>
        val parted = sample.parted(rows, cut)
        read(left, parted.left, path.left(cut), query, sample) +
          read(right, parted.right, path.right(cut), query, sample)
    }

  test("the best plan is found nearly always, and what it says of its plan is so") {
    val random = new Random(1)
    val outcomes = for (_ <- 0 until 400) yield {
      val sample = Sample(CutColumn.among(schema),
        IndexedSeq.fill(60)(columns.map(_ => random.nextInt(10): Any).toArray))
      val start = RobustTree(0, Leaf(-7)).withRoot(tree(2 + random.nextInt(3), random)).root
      val value = random.nextInt(9)
      val window = Window(IndexedSeq.fill(6)(Asked(
          Asking.asking(Seq(attributes(random.nextInt(2)) <= random.nextInt(9))), schema).get) :+
        Asked(Asking.asking(Seq(attributes.head <= value)), schema).get)
      val ranks = new SampleRanks(sample, schema)
      val found = new PublishedPlanner(ranks, 1.0, 1.0, columns.toSet)(start, window)
      def benefit(node: Node) = window.queries.map { query =>
        val root = CutPath.root(schema)
        read(start, sample.rows.indices, root, query, sample) -
          read(node, sample.rows.indices, root, query, sample)
      }.sum
      def cost(node: Node): Int = {
        val kept = node.leaves.map(_.id).toSet
        def gone(at: Node, rows: IndexedSeq[Int]): Int = at match {
          case Leaf(id) => if (kept(id)) 0 else rows.length
          case Split(c, left, right) =>
            val parted = sample.parted(rows, c)
            gone(left, parted.left) + gone(right, parted.right)
        }
        gone(start, sample.rows.indices)
      }
      val plans = all(start, cut("a", value), CutPath.root(schema), window.queries.last)
      if (found.node != start) {
        assert(plans.contains(found.node))
        assert(found.benefit == benefit(found.node) && found.cost == cost(found.node))
      }
      val best = plans.map(plan => Planned(plan, cost(plan), benefit(plan)))
        .filter(plan => plan.benefit > plan.cost && plan.node != start).map(_.worth).maxOption
      best.getOrElse(0.0) -> (if (found.node == start) 0.0 else found.worth)
    }
    // The best for its cost of each side is not always part of the best of the whole.
    assert(outcomes.forall { case (best, found) => found <= best + 1e-9 })
    assert(outcomes.count(_._1 > 0) > 50)
    assert(outcomes.count { case (best, found) => found >= best - 1e-9 } >= 0.95 * outcomes.length,
      outcomes.filter { case (best, found) => found < best - 1e-9 })
  }
}
