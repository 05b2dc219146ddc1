package io.colocate.hyperjoin.grouping

/**
 * Puts neighbours of a sequence together while they fit. An item that is too large by itself is alone.
 *
 * {{{
 *   3 4 2 9 1, at most 7   =>   {3 4} {2} {9} {1}
 * }}}
 */
private[hyperjoin] object ConsecutiveGroups {

  /** @param limits the weights, each with the most that neighbours may weigh together */
  def together[A](items: IndexedSeq[A], limits: (A => Long, Long)*): IndexedSeq[IndexedSeq[A]] = {
    val found = Vector.newBuilder[IndexedSeq[A]]
    var open = Vector.empty[A]
    var weights = limits.map(_ => 0L)
    for (item <- items) {
      val own = limits.map { case (weigh, _) => weigh(item) }
      val sums = weights.lazyZip(own).map(_ + _)
      val fits = sums.lazyZip(limits).forall { case (sum, (_, most)) => sum <= most }
      if (open.isEmpty || fits) {
        open :+= item
        weights = sums
      } else {
        found += open
        open = Vector(item)
        weights = own
      }
    }
    if (open.nonEmpty) found += open
    found.result()
  }
}
