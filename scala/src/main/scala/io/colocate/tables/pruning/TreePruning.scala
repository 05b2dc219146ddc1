package io.colocate.tables.pruning

import java.util.BitSet

import org.apache.spark.sql.types.StructType

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, RobustTree, Split}

/**
 * Finds the leaves of a tree that a filter need not read, from the cuts on the paths to them.
 *
 * Valid if the rows of a leaf were routed by the current tree. The cuts give a column a range, on which
 * a conjunct is checked as on the range of a file; if it rules out an inner node, it rules out all
 * leaves below. It is checked again only below cuts of its own columns.
 *
 * {{{
 *                 price <= 10
 *                /           \             price = 20 AND date = 9500
 *        date < 9000       date < 9000     - rules out the left half by its first conjunct
 *         /      \          /      \       - and leaf 2 by its second
 *      leaf 0  leaf 1    leaf 2  leaf 3
 * }}}
 *
 * A cut of a column that the schema does not have, or has with another type, is ignored.
 */
final class TreePruning(schema: StructType) {

  private val ordinals = schema.fieldNames.zipWithIndex.toMap

  /** The leaves that a filter may find rows in, from the left. */
  def touched(tree: RobustTree, conjuncts: Seq[Conjunct]): Seq[Int] = {
    val out = new BitSet
    conjuncts.foreach(conjunct => out.or(ruledOut(tree, conjunct)))
    tree.leafIds.filterNot(out.get)
  }

  /** The ids of the leaves that hold no row which passes a conjunct. */
  def ruledOut(tree: RobustTree, conjunct: Conjunct): BitSet = {
    val out = new BitSet
    if (conjunct.never.isEmpty) new Walk(conjunct, out).from(tree.root)
    out
  }

  final private class Walk(conjunct: Conjunct, out: BitSet) {

    private val orderings: Map[Int, Ordering[Any]] = conjunct.columns.iterator
      .map(column => column -> schema(column).dataType)
      .collect {
        case (column, dataType) if Orderable(dataType) =>
          column -> Orderable.ordering(dataType)
      }.toMap

    def from(root: Node): Unit = {
      val anything = conjunct.columns.iterator.map(column =>
        column -> Bounds.unknown(Bounds.floating(schema(column).dataType))).toMap
      narrowed(root, new Path(anything))
    }

    private def visit(node: Node, path: Path): Unit = node match {
      case Leaf(_) =>
      case Split(cut, left, right) =>
        columnOf(cut) match {
          case None =>
            visit(left, path)
            visit(right, path)
          case Some(column) =>
            val above = path.bounds(column)
            val ordering = orderings(column)
            narrowed(left, path.narrowed(column, CutBounds.left(above, cut, ordering)))
            narrowed(right, path.narrowed(column, CutBounds.right(above, cut, ordering)))
        }
    }

    private def narrowed(node: Node, path: Path): Unit = {
      val possible = if (path.isEmpty) Possible.Nothing else conjunct.check(path)
      if (possible.rulesOut) markAll(node)
      // Fewer rows have no further results, so nothing is ruled out below a node where all rows pass.
      else if (possible != Possible.True) visit(node, path)
    }

    private def markAll(node: Node): Unit = node match {
      case Leaf(id) => out.set(id)
      case Split(_, left, right) =>
        markAll(left)
        markAll(right)
    }

    private def columnOf(cut: Cut): Option[Int] = ordinals.get(cut.column)
      .filter(column => orderings.contains(column) && schema(column).dataType == cut.dataType)
  }

  /** The bounds that the cuts above a node give to the columns of a conjunct. */
  final private class Path(known: Map[Int, Bounds]) extends KnownRows {
    override def bounds(column: Int): Bounds = known(column)
    def narrowed(column: Int, bounds: Bounds): Path = new Path(known.updated(column, bounds))
    def isEmpty: Boolean = known.values.exists(_.isEmpty)
  }
}
