package io.colocate.adapt.change

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types._

import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.{Asked, Asking}
import io.colocate.tables.tree.{Cut, CutColumn, Sample}

/** What queries skip by cuts, beside each query asked about each cut. */
class CutGainsSuite extends AnyFunSuite {

  private val schema = new StructType().add("a", IntegerType).add("b", IntegerType)
  private val Seq(a, b) = Seq("a", "b").map(AttributeReference(_, IntegerType)())

  test("the best cut is the one that skips most of all") {
    for (seed <- 0 until 200) {
      val random = new Random(seed)
      def next = random.nextInt(30)
      val sample = Sample(CutColumn.among(schema),
        IndexedSeq.fill(100)(Array[Any](next, if (next == 0) null else next)))
      val ranks = new SampleRanks(sample, schema)
      val asked = IndexedSeq.fill(12) {
        val low = next
        val predicates = Seq(Seq(a >= low, a < low + 5), Seq(b === low), Seq(b <= low || a > low),
          Seq(a.in(low, low + 9), b < next))(random.nextInt(4))
        Asked(Asking.asking(predicates), schema).get
      }
      val root = CutPath.root(schema)
      val leaf = Growing(sample.rows.indices, root, asked)
      val cuts = asked.flatMap(_.cuts)
      val (skipped, found) = new CutGains(ranks, cuts).best(leaf, 10)

      def skips(cut: Cut): Long = {
        val parted = sample.parted(sample.rows.indices, cut)
        val sides = Seq(parted.left -> root.left(cut), parted.right -> root.right(cut))
        if (sides.exists(_._1.length < 10)) 0
        else sides.map { case (rows, path) => asked.count(!_.reads(path)).toLong * rows.length }.sum
      }
      // NULL goes to the smaller side.
      val chosen = cuts.map { cut =>
        val parted = sample.parted(sample.rows.indices, cut)
        cut.copy(nullsLeft = parted.left.length < parted.right.length)
      }
      assert(skipped == chosen.map(skips).max)
      assert(found.forall(parted => skips(parted.cut) == skipped))
    }
  }
}
