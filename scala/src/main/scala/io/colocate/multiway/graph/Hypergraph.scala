package io.colocate.multiway.graph

/**
 * Which variables each input of a join has.
 *
 * @param edges  the variables of each input
 * @param checks inputs whose rows are only looked up, not joined. A check may close a cycle, but it
 *               cannot cover other inputs: that takes its rows.
 */
final private[multiway] case class Hypergraph(
    edges: IndexedSeq[Set[Int]],
    checks: Set[Int] = Set.empty) {

  /**
   * The inputs that form cycles (Graham; Yu and Özsoyoğlu). Variables that only one input has are
   * dropped, and inputs whose variables another input has, as long as there are any. The remaining
   * inputs are cyclic; none remain of joins that a chain of binary joins computes without a detour.
   */
  def core: Set[Int] = {
    var open = edges.zipWithIndex.map { case (edge, i) => i -> edge }.toMap
    var before = Map.empty[Int, Set[Int]]
    while (before != open) {
      before = open
      val shared = open.values.toSeq.flatten.groupBy(identity).collect {
        case (v, in) if in.length > 1 => v
      }.toSet
      open = open.map { case (i, edge) => i -> edge.intersect(shared) }
      val (asked, joined) = open.toSeq.partition { case (i, _) => checks(i) }
      (asked ++ joined).find { case (i, edge) => covered(i, edge, open) }
        .foreach { case (i, _) => open -= i }
    }
    open.keySet
  }

  private def covered(i: Int, edge: Set[Int], open: Map[Int, Set[Int]]): Boolean =
    edge.isEmpty || open.exists { case (j, other) =>
      j != i && !checks(j) && edge.subsetOf(other)
    }

  /** Sets of inputs that are connected by variables. */
  def components(of: Set[Int]): Seq[Set[Int]] =
    if (of.isEmpty) Nil
    else {
      val part = reach(Set(of.min), of)
      part +: components(of -- part)
    }

  private def reach(from: Set[Int], within: Set[Int]): Set[Int] = {
    val met = from.flatMap(edges)
    val more = from ++ within.filter(i => edges(i).exists(met))
    if (more == from) from else reach(more, within)
  }
}
