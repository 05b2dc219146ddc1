package io.colocate.hyperjoin

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide}

/**
 * How a join is done without a shuffle.
 *
 * @param grouped    the side whose files are read once each
 * @param left       files of the left side for each task
 * @param right      files of the right side for each task
 * @param build      the side that is hashed; none where rows are sorted, as no group fits
 * @param leftTogether a column of the left table of which equal values are read by one task, if there
 *                   is one
 * @param rightTogether the same of the right table
 * @param c          C_HyJ: how often a file of the probed side is read, weighted by bytes
 * @param moved      bytes that Spark alone would shuffle, as far as filters can be judged
 */
final private[hyperjoin] case class HyperJoinChoice(
    grouped: Side,
    left: FileGroups,
    right: FileGroups,
    build: Option[BuildSide],
    leftTogether: Option[Attribute],
    rightTogether: Option[Attribute],
    c: Double,
    moved: Double) {

  def groups: Int = left.length

  def cText: String = "%.2f".formatLocal(Locale.ROOT, c)
}

private[hyperjoin] object HyperJoinChoice {

  def buildSide(side: Side): BuildSide = if (side == Side.Left) BuildLeft else BuildRight
}
