package io.colocate.multiway.rows

import io.colocate.multiway.model.{Domain, EncodedRelation, Payload, RelationSpec, TablesSpec}
import io.colocate.multiway.wcoj.{Demand, Relation}

/**
 * Dictionaries and tries of the relations of a join. Two relations that are the same table with the same
 * order of the keys share one trie.
 *
 * @param domains   the domain of each variable
 * @param relations the relations that must have a row
 * @param negated   the relations that must have no row
 * @param payloads  the carried columns of each of `relations`, null if it has none
 * @param bytes     of what was built for this join, and `nanos` the time for it; 0 if all was there
 */
final private[multiway] class JoinTables(
    val domains: Array[Domain],
    val relations: Seq[Relation],
    val negated: Seq[Relation],
    val payloads: Array[Payload],
    val bytes: Long,
    val nanos: Long)

private[multiway] object JoinTables {

  /**
   * For one join alone.
   *
   * @param alive called before each part is built; it throws if the task is cancelled
   */
  def build(spec: TablesSpec, sources: Seq[EncodedRelation])(alive: () => Unit): JoinTables = {
    val own = sources.zipWithIndex.map { case (relation, i) => Source.own(relation, i.toLong) }
    of(spec, own, own.map(_ => new RelationIndex), alive)
  }

  /** From what the joins of the executor share. */
  def shared(spec: TablesSpec, sources: Seq[Source])(alive: () => Unit): JoinTables =
    of(spec, sources, sources.map(SharedIndexes.of), alive)

  private def of(
      spec: TablesSpec,
      sources: Seq[Source],
      indexes: Seq[RelationIndex],
      alive: () => Unit): JoinTables = {
    val begin = System.nanoTime()
    var bytes = 0L
    def built(more: Long): Unit = bytes += more
    // What hangs on several relations goes with the one that was broadcast last.
    def owner(some: Seq[Int]) = indexes(some.maxByOption(sources(_).ids.head).getOrElse(0))
    val ranked = spec.domains.map { variables =>
      val columns = spec.columns(variables)
      val among = columns.map(_._1)
      alive()
      val ranks = owner(among).ranksOf(spec.types(variables.head),
        columns.map { case (s, k) => (sources(s), k) }, spec.ordered(variables))(built)
      (variables, ranks, among)
    }
    val (ranksOf, amongOf) =
      spec.types.indices.map(v => ranked.find(_._1(v)).get).map(r => (r._2, r._3)).unzip
    val tries = spec.relations.distinctBy(trieOf).map { r =>
      alive()
      trieOf(r) -> owner(r.variables.flatMap(amongOf))
        .trieOf(sources(r.source), r.keys, r.variables.map(ranksOf), r.listed)(built)
    }.toMap
    def relation(r: RelationSpec): Relation = {
      val trie = tries(trieOf(r))
      val asked = if (r.demand == Demand.SomeRow) trie.once else trie
      Relation(asked, r.variables.toArray, r.listed)
    }
    val (negated, asked) = spec.relations.partition(_.demand == Demand.NoRow)
    val payloads = asked.map(r =>
      if (r.listed) indexes(r.source).payloadOf(sources(r.source))(built) else null).toArray
    // A domain may grow meanwhile: it is asked for last, so that it has all ranks of the tries.
    new JoinTables(ranksOf.map(_.domain).toArray, asked.map(relation), negated.map(relation),
      payloads, bytes, if (bytes > 0) System.nanoTime() - begin else 0)
  }

  /** What a trie depends on: columns of one source always have the same ranks in one join. */
  private def trieOf(r: RelationSpec) = (r.source, r.keys, r.listed)
}
