package io.colocate.adapt.ledger

import io.colocate.adapt.cost.{Layout, PresentReads}
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.RobustTree

/**
 * Account of what rewriting a table has cost, and of what it has saved.
 *
 * {{{
 *   write cost x (rows ever rewritten + rows to rewrite) <= credit + reads saved against the first layout
 * }}}
 *
 * So rewriting never costs more than it has saved, and the credit. It is the counter of ski rental and of
 * metrical task systems (OReO, arXiv 2405.04984), kept for parts of a table: each rewrite owes its cost,
 * until queries have read as much less of the new leaves as it was.
 *
 * @param first     the layout of the table before it was rewritten
 * @param rewritten rows ever rewritten
 * @param saved     rows that queries have read less than of the first layout, below 0 if they read more; a
 *                  row of which a query reads some columns counts less
 * @param rewrites  those that have leaves yet
 * @param until     the time of the last query that is accounted for, in milliseconds
 */
final case class Ledger(
    first: Layout,
    rewritten: Long,
    saved: Double,
    rewrites: Seq[Rewrite],
    until: Long)
    extends Debts {

  override def owed(leaf: Int): Double =
    rewrites.iterator.flatMap(_.owed.get(leaf)).sum

  /**
   * The most rows that may be rewritten now, of a table of so many rows. A layout under which queries
   * read more than under the first one may still be left, as long as the credit lasts.
   */
  def room(rows: Long, writeCost: Double): Long =
    ((Ledger.Credit * rows - rewritten) + saved.max(0.0) / writeCost).toLong.max(0L)

  /** A query has run. */
  def after(query: Asked, tree: RobustTree, present: PresentReads): Ledger = {
    val rows = present.rows(tree.root)
    val read = present.read(query, tree.root)
    copy(saved = saved + query.weight * (first.readShare(query) * rows - read),
      rewrites = rewrites.map(_.after(query, present)), until = until.max(query.time))
  }

  /**
   * Leaves were written in place of others, which `replaced` was the layout of.
   *
   * @param gone    the leaves that are gone, with their rows
   * @param written the leaves in their place, with their rows
   */
  def rewrote(
      gone: Seq[Int],
      replaced: Layout,
      written: Map[Int, Long],
      writeCost: Double): Ledger = {
    val rows = written.values.sum
    val debt = gone.map(owed).sum.max(0.0) + writeCost * rows
    val all = rows.max(1L).toDouble
    val own = Rewrite(replaced, written.map { case (leaf, some) => leaf -> debt * some / all })
    copy(rewritten = rewritten + rows,
      rewrites = rewrites.map(_.without(gone.toSet)).filter(_.owed.nonEmpty) :+ own)
  }
}

object Ledger {

  /** How often the whole table may be rewritten before it has saved anything. */
  val Credit: Double = 3

  /** Of a table that was not rewritten yet. */
  def of(first: Layout, until: Long): Ledger = Ledger(first, 0, 0.0, Nil, until)
}

/**
 * Leaves that were written in place of others.
 *
 * @param owed by leaf, what its rows have cost and not saved yet, in rows read
 */
final case class Rewrite(replaced: Layout, owed: Map[Int, Double]) {

  private[ledger] def after(query: Asked, present: PresentReads): Rewrite = {
    val share = replaced.readShare(query)
    copy(owed = owed.map { case (leaf, debt) =>
      leaf -> (debt - query.weight * (share * present.rows(leaf) - present.read(query, leaf)))
    })
  }

  private[ledger] def without(leaves: Set[Int]): Rewrite =
    copy(owed = owed.filterNot { case (leaf, _) => leaves(leaf) })
}
