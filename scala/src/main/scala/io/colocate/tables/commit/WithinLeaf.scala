package io.colocate.tables.commit

import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable
import io.colocate.tables.format.{ColumnStats, FileAdded}
import io.colocate.tables.tree.{Cut, Leaf, Node, Prefix, Split}

/**
 * Checks the statistics of new files against the cuts of their leaves, before a commit. Pruning relies
 * on the cuts, so every filter would skip the rows of a file that is under another leaf.
 *
 * {{{
 *   a <= 10              a in [3, 9]    may be in leaf 0
 *   /     \              a in [3, 12]   may not: 12 is above the cut
 *  0       1
 * }}}
 *
 * Valid for shortened bounds too: of long texts and bytes the log keeps a [[Prefix]], which preserves
 * the order, so the bounds are compared with the prefix of the cut.
 *
 * @param types the types of the columns; a cut whose type differs from its column's is ignored
 */
final private[tables] class WithinLeaf(root: Node, types: String => Option[DataType]) {

  private val ways: Map[Int, List[Way]] = waysTo(root, Nil).toMap

  /** How a file contradicts its leaf; None if it does not, or if there is no such leaf. */
  def problem(file: FileAdded): Option[String] = for {
    leaf <- file.leaf
    ways <- ways.get(leaf)
    broken <- ways.find(way => file.stats.get(way.cut.column).exists(!way.allows(_)))
  } yield s"${file.path} is for leaf $leaf, where ${broken.text}, and has" +
    s" ${broken.cut.column} in ${shown(file.stats(broken.cut.column), broken.cut.dataType)}"

  private def waysTo(node: Node, above: List[Way]): Seq[(Int, List[Way])] = node match {
    case Leaf(id) => Seq(id -> above)
    case Split(cut, left, right) if types(cut.column).contains(cut.dataType) =>
      waysTo(left, new Way(cut, left = true) :: above) ++
        waysTo(right, new Way(cut, left = false) :: above)
    case Split(_, left, right) => waysTo(left, above) ++ waysTo(right, above)
  }

  private def shown(stats: ColumnStats, dataType: DataType): String = {
    def text(end: Option[Any]) = end.flatMap(Orderable.write(dataType, _)).getOrElse("?")
    s"[${text(stats.min)}, ${text(stats.max)}] with ${stats.nulls} NULL and ${stats.nans} NaN"
  }
}

/** One side of a cut. */
final private[tables] class Way(val cut: Cut, left: Boolean) {

  private val ordering = Orderable.ordering(cut.dataType)
  private val isNaN = cut.value match {
    case d: Double => d.isNaN
    case f: Float => f.isNaN
    case _ => false
  }

  // A bound may have been shortened, and then equals the shortened value of the cut.
  private val near = Prefix.mayBeCut(cut.value)
  private val (lowest, highest) = (Prefix.below(cut.value), Prefix.above(cut.value))

  def text: String = if (left) cut.toString else s"NOT $cut"

  def allows(stats: ColumnStats): Boolean =
    (stats.nulls == 0 || cut.nullsLeft == left) && (stats.nans == 0 || allowsNaN) &&
      (if (left) stats.max.forall(below) else stats.min.forall(above))

  /** NaN is the greatest value. */
  private def allowsNaN: Boolean = if (left) isNaN && cut.inclusive else !isNaN || !cut.inclusive

  private def below(max: Any): Boolean = isNaN || highest.forall { most =>
    val order = ordering.compare(max, most)
    order < 0 || order == 0 && (cut.inclusive || near)
  }

  private def above(min: Any): Boolean = !isNaN && lowest.forall { least =>
    val order = ordering.compare(min, least)
    order > 0 || order == 0 && (!cut.inclusive || near)
  }
}
