package io.colocate.multiway.graph

/**
 * Which variables each input of a join has.
 *
 * @param edges  for each input its variables
 * @param checks inputs whose rows are not joined but only looked for. Such a one closes a cycle, but it is no
 *               input that others could be looked up in one after the other: that takes its rows.
 */
final private[multiway] case class Hypergraph(
    edges: IndexedSeq[Set[Int]],
    checks: Set[Int] = Set.empty) {

  /**
   * The inputs that form cycles (Graham; Yu and Özsoyoğlu): variables of one input are dropped, and
   * inputs whose variables another one has, as long as there are any. What is left is cyclic; nothing
   * is left of joins that a chain of binary joins computes without a detour.
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

  /** Inputs that hang together by variables. */
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
