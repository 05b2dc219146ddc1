package io.colocate.adapt.cost

import io.colocate.adapt.window.Asked
import io.colocate.tables.pruning.KnownRows

/** Rows that are or were stored together, with what was known of them. */
final case class Part(rows: Long, known: KnownRows)

/**
 * A layout that there is no more, of which enough is kept to say what a query would have read of it.
 *
 * It is asked for shares, not for rows: rows that were appended since would have lain in it like the
 * others.
 */
final case class Layout(parts: IndexedSeq[Part]) {

  val rows: Long = parts.iterator.map(_.rows).sum

  /** The share of the rows that a query would have read. */
  def readShare(query: Asked): Double =
    if (rows == 0) 0.0
    else parts.iterator.filter(part => query.reads(part.known)).map(_.rows).sum.toDouble / rows
}
