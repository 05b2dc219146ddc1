package io.colocate.multiway.cells

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.ArrayData

/**
 * The cells of one join. They are planned by the inputs' sizes, and settled when the first input is sent
 * to them and its heavy values are known. All inputs and the join must use the same cells, so they share
 * this object, and the first result is final.
 *
 * @param planned the box for inputs without heavy values; there are no more cells than it has
 * @param inputs  the variables and bytes of each input
 * @param counted for each sampled column the inputs and variables that it stands for
 */
final private[multiway] class CubeCells(
    val planned: Box,
    inputs: Seq[(Set[Int], Double)],
    counted: Seq[Seq[(Int, Int)]])
    extends Serializable {

  @volatile private var settled: Option[Cells] = None

  /** @param sample evaluates to the sampled keys: structs of a column's number and the hash of a value */
  def settle(sample: Option[Expression]): Cells = synchronized {
    if (settled.isEmpty) settled = Some(sample.fold(Cells(planned))(s => divided(frequencies(s))))
    settled.get
  }

  private def frequencies(sample: Expression): Seq[Frequency] = {
    val seen = CubeCells.read(sample.eval(null).asInstanceOf[ArrayData])
    for {
      (column, hashes) <- seen.groupMap(_._1)(_._2).toSeq
      (Some(hash), times) <- hashes.groupMapReduce(identity)(_ => 1)(_ + _)
      if times >= CubeCells.LeastSeen
      (input, variable) <- counted(column)
    } yield Frequency(input, variable, hash, times.toDouble / hashes.length)
  }

  private def divided(frequencies: Seq[Frequency]): Cells = {
    val heavy = HeavyValues.of(frequencies, planned)
    if (heavy.isEmpty) Cells(planned)
    else {
      val sides = (0 until heavy.kinds).map(kind => shares(kind, heavy, frequencies))
      Cells(CubeCells.fitting(sides, planned.count), heavy)
    }
  }

  /** The sides of the box for a kind of rows, given the share of each input that has this kind. */
  private def shares(
      kind: Int,
      heavy: HeavyValues,
      frequencies: Seq[Frequency]): HyperCubeShares = {
    def isHeavy(variable: Int) = (kind & heavy.bit(variable)) != 0
    val sized = inputs.zipWithIndex.map { case ((variables, bytes), input) =>
      val parts = heavy.of.collect {
        case (v, hashes) if variables(v) =>
          val share = frequencies.filter(f =>
            f.input == input && f.variable == v &&
              hashes.contains(f.hash)).map(_.share).sum
          if (isHeavy(v)) share else 1 - share
      }
      (variables, bytes * parts.product)
    }
    val longest = heavy.of.collect { case (v, hashes) if isHeavy(v) => v -> hashes.length }.toMap
    new HyperCubeShares(sized, planned.shares.length, longest)
  }
}

private[multiway] object CubeCells {

  /** A value that is seen less often may look frequent by chance. */
  private val LeastSeen = 16

  private def read(all: ArrayData): Seq[(Int, Option[Long])] =
    (0 until all.numElements()).map { i =>
      val row = all.getStruct(i, 2)
      (row.getInt(0), Option.when(!row.isNullAt(1))(row.getLong(1)))
    }

  /** Boxes with at most so many cells in total; each step grows the box whose cells get most. */
  private def fitting(sides: Seq[HyperCubeShares], most: Int): Seq[Box] = {
    val boxes = sides.map(_.of(1)).toArray
    def load(i: Int) = sides(i).load(boxes(i))

    @tailrec def grow(open: Set[Int]): Unit = if (open.nonEmpty) {
      val fullest = open.maxBy(load)
      val larger = sides(fullest).of(boxes(fullest).count * 2)
      val fits = boxes.map(_.count).sum - boxes(fullest).count + larger.count <= most
      val grows = fits && sides(fullest).load(larger) < load(fullest)
      if (grows) boxes(fullest) = larger
      grow(if (grows) open else open - fullest)
    }
    grow(sides.indices.toSet)
    boxes.toSeq
  }
}
