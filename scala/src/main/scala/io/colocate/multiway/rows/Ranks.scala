package io.colocate.multiway.rows

import io.colocate.multiway.model.{Domain, KeyType}

/**
 * The ranks of the values of some columns, for all joins of them. A value keeps its rank when rows come
 * later, so that tries with these ranks stay valid.
 *
 * @param ordered whether ranks must have the order of the values, as comparisons ask for
 */
final private[multiway] class Ranks(key: KeyType, columns: Seq[(Source, Int)], ordered: Boolean) {

  @volatile private var known =
    Domain.of(key, columns.map { case (source, column) => (source.relation, column) })
  private var seen = columns.flatMap(_._1.ids).toSet

  /** It may have more values than the columns. */
  def domain: Domain = known

  /**
   * True if the columns have ranks, or have got them now. False if that takes other ranks than those that
   * values have: then all of them are made anew.
   */
  def cover(columns: Seq[(Source, Int)]): Boolean = synchronized {
    val fresh = columns.flatMap { case (source, column) =>
      source.without(seen).map((_, column))
    }
    val grown = if (fresh.isEmpty) known else known.grown(fresh)
    val valid = (grown eq known) || !ordered && !outgrown(grown)
    if (valid) {
      known = grown
      seen ++= columns.flatMap(_._1.ids)
    }
    valid
  }

  /** Values that came later are looked for in a second place, and all of them go there each time. */
  private def outgrown(grown: Domain): Boolean =
    grown.later > Ranks.Later + (grown.size - grown.later) / Ranks.Share
}

private[multiway] object Ranks {

  /** Of so many values that were there first, one may come later, */
  private val Share = 4

  /** and so many in any case. */
  private val Later = 1024
}
