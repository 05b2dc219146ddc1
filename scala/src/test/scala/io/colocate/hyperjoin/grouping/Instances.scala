package io.colocate.hyperjoin.grouping

import scala.util.Random

import org.apache.spark.sql.types.LongType

import io.colocate.facts.types.Orderable
import io.colocate.hyperjoin.grouping.KeyRange.Known

/** Seeded problems, in families. */
object Instances {

  /** @param count of instances */
  final case class Family(name: String, count: Int, instance: Random => GroupingProblem) {
    def problem(seed: Int): GroupingProblem = instance(new Random(seed))
    def problems: IndexedSeq[GroupingProblem] = (0 until count).map(problem)
  }

  val longs: Ordering[Any] = Orderable.ordering(LongType)

  /** Blocks of two trees of which both cut the key first and something else below. */
  val twoPhase: Seq[Family] =
    Seq(Family("two-phase 16x2 and 12x2", 40, trees((16, 2), (12, 2), budget = 4)),
      Family("two-phase 8x4 and 5x3", 40, trees((8, 4), (5, 3), budget = 5)),
      Family("two-phase 8x2 and 6x2, bytes differ", 40,
        trees((8, 2), (6, 2), budget = 5, bytes = random => 80 + random.nextInt(41))))

  val others: Seq[Family] =
    Seq(Family("two-phase, 60 % of blocks survive", 30, trees((16, 2), (12, 2), 4, survive = 0.6)),
      Family("random ranges", 25, random => problem(random, some(random, 20), some(random, 20), 4)),
      Family("random ranges, 20 % wide", 25,
        random => problem(random, widened(random, some(random, 20)), some(random, 20), 4)))

  val all: Seq[Family] = twoPhase ++ others

  /** Ranges that follow each other, and so many blocks of each. */
  def leaves(random: Random, ranges: Int, each: Int): IndexedSeq[KeyBox] = {
    val cuts = Iterator.continually(random.nextInt(Keys).toLong).distinct.take(ranges - 1).toSeq
    val ends = (0L +: cuts.sorted) :+ Keys.toLong
    ends.zip(ends.tail).toIndexedSeq.flatMap { case (from, until) =>
      Seq.fill(each)(KeyBox(Known(from, (until - 1).max(from))))
    }
  }

  /** Weights of blocks are about 100, and the budget is so many of them. */
  def problem(
      random: Random,
      grouped: IndexedSeq[KeyBox],
      probed: IndexedSeq[KeyBox],
      budget: Int,
      bytes: Random => Int = _ => 100): GroupingProblem = {
    val overlaps = Overlaps.find(grouped, probed, IndexedSeq(longs)).get
    new GroupingProblem(grouped.map(_ => bytes(random).toLong).toArray,
      probed.map(_ => 50L + random.nextInt(101)).toArray, overlaps, budget * 100L)
  }

  private val Keys = 100000

  private def trees(
      grouped: (Int, Int),
      probed: (Int, Int),
      budget: Int,
      survive: Double = 1.0,
      bytes: Random => Int = _ => 100)(random: Random): GroupingProblem = {
    def blocks(shape: (Int, Int)) =
      leaves(random, shape._1, shape._2).filter(_ => random.nextDouble() < survive)
    problem(random, blocks(grouped), blocks(probed), budget, bytes)
  }

  private def some(random: Random, count: Int): IndexedSeq[KeyBox] = IndexedSeq.fill(count) {
    val from = random.nextInt(Keys)
    KeyBox(Known(from.toLong, (from + random.nextInt(Keys / 5)).toLong))
  }

  private def widened(random: Random, boxes: IndexedSeq[KeyBox]): IndexedSeq[KeyBox] =
    boxes.map(box => if (random.nextInt(5) == 0) KeyBox(Known(0L, 2L * Keys)) else box)
}
