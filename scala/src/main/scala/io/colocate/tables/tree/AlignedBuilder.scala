package io.colocate.tables.tree

/**
 * A two-phase tree whose upper levels are those of another table's tree, so that rows of both tables
 * with the same join key are in blocks that were cut at the same values.
 *
 * {{{
 *   orders:   o_orderkey <= 100              lineitem:   l_orderkey <= 100
 *              /            \        =>                   /            \
 *        o_date < 9000    leaf 2                   l_shipdate < 9010   l_price <= 7
 * }}}
 *
 * @param upper the levels to reuse; this tree has further cuts below their leaves
 */
final class AlignedBuilder(upper: Node, lower: SizeDrivenBuilder = new SizeDrivenBuilder())
    extends TreeBuilder {

  override def build(request: TreeRequest): Node = {
    import request._
    val root = new Growing(sample.rows.indices)
    lower.grow(sample, follow(upper, root, sample), weights -- upper.cuts.map(_.column), leaves)
    root.finish()
  }

  private def follow(node: Node, growing: Growing, sample: Sample): Seq[Growing] = node match {
    case Leaf(_) => Seq(growing)
    case Split(cut, below, above) =>
      val (left, right) = growing.split(sample.parted(growing.rows, cut))
      follow(below, left, sample) ++ follow(above, right, sample)
  }
}

object AlignedBuilder {

  /**
   * The levels of a tree that cut a join key, as cuts of the columns of another one.
   *
   * @param columns the columns of the key, each with the column that replaces it
   */
  def upper(tree: Node, columns: Map[String, String]): Node = tree match {
    case Split(cut, left, right) if columns.contains(cut.column) =>
      Split(cut.copy(column = columns(cut.column)), upper(left, columns), upper(right, columns))
    case _ => Leaf(0)
  }
}
