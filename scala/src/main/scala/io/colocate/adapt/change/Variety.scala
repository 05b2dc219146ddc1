package io.colocate.adapt.change

import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.Cut

/**
 * How different the constants are that queries compare each column with. It tells what the next query of
 * their kind will ask for: the same again, or something that no query has asked for yet.
 *
 * {{{
 *   mode = 'AIR' AND day = 3,  mode = 'AIR' AND day = 8,  mode = 'AIR' AND day = 5
 *       variety of mode: 0     variety of day: 1
 * }}}
 *
 * So cuts at the constants of these queries are enough for a column of little variety, and a column of
 * much variety has to be cut everywhere.
 */
final private class Variety(queries: Seq[Asked]) {

  import Variety._

  /** 0 if all queries with a filter on the column have the same constants, 1 if no two of them have. */
  private val byColumn: Map[String, Double] =
    queries.iterator.flatMap(constants).toSeq.groupMap(_._1)(_._2).map { case (column, all) =>
      column -> (if (all.length < 2) 1.0 else (all.distinct.length - 1.0) / (all.length - 1.0))
    }

  def of(column: String): Double = byColumn.getOrElse(column, 0.0)

  /** True if the next query may ask for something else than these did. */
  def isGreat(column: String): Boolean = of(column) >= Great
}

private object Variety {

  private val Great = 0.5

  private def constants(query: Asked): Map[String, Set[Cut]] =
    query.cuts.toSet.groupBy(_.column)
}
