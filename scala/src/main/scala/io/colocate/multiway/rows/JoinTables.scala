package io.colocate.multiway.rows

import java.lang.ref.SoftReference
import java.util.WeakHashMap

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow

import io.colocate.multiway.model.{Domain, EncodedRelation, KeyType, Payload, RelationMode, RelationSpec, TablesSpec}
import io.colocate.multiway.wcoj.{Demand, Relation, Trie}

/**
 * Dictionaries and tries of the relations of a join, which the tasks of an executor share. Two relations
 * that are the same table with the same order of the keys share one trie.
 *
 * @param domains   the domain of each variable
 * @param relations the relations that must have a row
 * @param negated   the relations that must have no row
 * @param payloads  the carried columns of each of `relations`, null if it has none
 */
final private[multiway] class JoinTables(
    val domains: Array[Domain],
    val relations: Seq[Relation],
    val negated: Seq[Relation],
    val payloads: Array[Payload],
    val bytes: Long,
    val nanos: Long)

private[multiway] object JoinTables {

  def build(spec: TablesSpec, sources: Seq[EncodedRelation]): JoinTables = {
    val begin = System.nanoTime()
    val built = spec.domains.map { variables =>
      val key = KeyType.orThrow(spec.types(variables.head))
      variables -> Domain.of(key, spec.columns(variables).map { case (s, k) => (sources(s), k) })
    }
    val domains = spec.types.indices.map(v => built.find(_._1(v)).get._2).toArray
    val tries = spec.relations.distinctBy(trieOf).map { r =>
      val columns = r.variables.zip(r.keys)
        .map { case (v, k) => domains(v).ranks(sources(r.source), k) }
      trieOf(r) -> Trie.build(columns.toArray, r.variables.map(domains(_).size).toArray, r.listed)
    }.toMap
    def relation(r: RelationSpec): Relation = {
      val trie = tries(trieOf(r))
      val asked = if (r.demand == Demand.SomeRow) trie.once else trie
      Relation(asked, r.variables.toArray, r.listed)
    }
    val (negated, asked) = spec.relations.partition(_.demand == Demand.NoRow)
    val payloads = asked
      .map(r => if (r.listed) sources(r.source).payload else null).toArray
    val bytes = built.map(_._2.bytes).sum + tries.values.map(_.bytes).sum +
      payloads.filter(_ != null).map(_.bytes).sum
    new JoinTables(domains, asked.map(relation), negated.map(relation), payloads, bytes,
      System.nanoTime() - begin)
  }

  /** What a trie depends on: columns of one source always have the same ranks in one join. */
  private def trieOf(r: RelationSpec) = (r.source, r.keys, r.listed)

  // --- One for each executor -----------------------------------------------------------------------

  /** Built by the first task that needs them, and again if they were dropped for lack of memory. */
  final private class Slot {
    private var built = new SoftReference[JoinTables](null)

    /** @return the tables, and whether they were built now */
    def get(build: => JoinTables): (JoinTables, Boolean) = synchronized {
      val known = built.get
      val tables = if (known == null) build else known
      if (known == null) built = new SoftReference(tables)
      (tables, known == null)
    }
  }

  /**
   * Keyed by the value of the first broadcast, which an executor keeps as long as the broadcast lives: when
   * Spark drops it, so do we. The tables refer to the contents of the value, never to the value itself.
   */
  private val slots = new WeakHashMap[AnyRef, Map[(Seq[Long], TablesSpec), Slot]]

  def shared(
      spec: TablesSpec,
      broadcasts: Seq[Broadcast[Array[InternalRow]]],
      modes: Seq[RelationMode]): (JoinTables, Boolean) = {
    val values = broadcasts.map(_.value)
    slot((broadcasts.map(_.id), spec), values.head).get {
      build(spec, values.zip(modes).map { case (v, mode) => new EncodedRelation(v, mode) })
    }
  }

  private def slot(key: (Seq[Long], TablesSpec), owner: AnyRef): Slot = slots.synchronized {
    val known = Option(slots.get(owner)).getOrElse(Map.empty)
    known.getOrElse(key, {
        val slot = new Slot
        slots.put(owner, known.updated(key, slot))
        slot
      })
  }
}
