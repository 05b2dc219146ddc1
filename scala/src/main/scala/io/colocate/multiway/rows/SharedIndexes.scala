package io.colocate.multiway.rows

import java.lang.ref.SoftReference
import java.util.WeakHashMap

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.types.DataType

import io.colocate.multiway.model.{Domain, EncodedRelation, KeyType, Payload}
import io.colocate.multiway.wcoj.{MergedTrie, Trie}

/**
 * What is built of the broadcast relations of an executor, for all its joins: two joins of one relation in
 * the same order of the keys share a trie, whatever else they join. Where rows have come later, those alone
 * are sorted, and merged into what is there.
 */
private[multiway] object SharedIndexes {

  /**
   * Keyed by the value of the first broadcast, which an executor keeps as long as the broadcast lives: when
   * Spark drops it, so do we. The indexes refer to the contents of the value, never to the value itself.
   * They are dropped for lack of memory, too.
   */
  private val indexes = new WeakHashMap[AnyRef, SoftReference[RelationIndex]]

  def of(source: Source): RelationIndex = indexes.synchronized {
    val owner = source.layers.head.chunks
    Option(indexes.get(owner)).flatMap(found => Option(found.get)).getOrElse {
      val made = new RelationIndex
      indexes.put(owner, new SoftReference(made))
      made
    }
  }
}

/**
 * What is built of one relation, and of it with relations that were broadcast before. Each part is built
 * once, by the first task that needs it.
 */
final private[multiway] class RelationIndex {
  import RelationIndex._

  private val ranks = TrieMap.empty[RanksKey, Once[Ranks]]
  private val tries = TrieMap.empty[TrieKey, Once[Trie]]
  private val payloads = TrieMap.empty[Seq[Long], Once[Payload]]

  /** How many parts there are. */
  def size: Int = ranks.size + tries.size + payloads.size

  /**
   * @param columns of this relation and of others
   * @param built   is told the bytes of what is built
   */
  def ranksOf(of: DataType, columns: Seq[(Source, Int)], ordered: Boolean)(
      built: Long => Unit): Ranks = {
    val key =
      RanksKey(of, columns.map { case (source, k) => (source.ids.head, k) }.toSet, ordered)
    def fresh = new Once(() => {
      val made = new Ranks(KeyType.orThrow(of), columns, ordered)
      built(made.domain.bytes)
      made
    })
    val found = ranks.getOrElseUpdate(key, fresh).value
    if (found.cover(columns)) found
    else {
      val made = fresh
      ranks.put(key, made)
      tries.keys.filter(_.ranks.exists(_ eq found)).foreach(tries.remove)
      made.value
    }
  }

  /** @param ranks of each key */
  def trieOf(source: Source, keys: Seq[Int], ranks: Seq[Ranks], listed: Boolean)(
      built: Long => Unit): Trie =
    grown(tries, source)(key = TrieKey(_, keys, ranks, listed),
      after = n => RelationIndex.trieOf(source.after(n), keys, ranks.map(_.domain), listed),
      and = (n, trie, more) => MergedTrie(trie, more, source.rows(n), ranks.head.domain.size),
      built = trie => built(trie.bytes))

  /** The carried columns of the rows. */
  def payloadOf(source: Source)(built: Long => Unit): Payload =
    grown(payloads, source)(key = identity, after = n => source.after(n).payload,
      and = (_, payload, more) => payload ++ more, built = payload => built(payload.bytes))

  /**
   * A part of all layers of a relation: of all rows, or that of the most of the first layers that is there,
   * together with one of the other rows. Earlier ones go.
   *
   * @param key   of the part of some layers
   * @param after the part of the rows after so many layers
   * @param and   the part of so many layers, and that of the other rows, as one
   */
  private def grown[K, T <: AnyRef](parts: TrieMap[K, Once[T]], source: Source)(
      key: Seq[Long] => K,
      after: Int => T,
      and: (Int, T, T) => T,
      built: T => Unit): T = {
    def all() = {
      val earlier = (source.layers.length - 1 to 1 by -1).map(n => n -> key(source.ids.take(n)))
      val known = earlier.iterator
        .flatMap { case (n, some) => parts.get(some).flatMap(_.ready).map(n -> _) }.nextOption()
      val made = known.fold(after(0)) { case (n, part) => and(n, part, after(n)) }
      built(made)
      earlier.foreach { case (_, some) => parts.remove(some) }
      made
    }
    parts.getOrElseUpdate(key(source.ids), new Once(() => all())).value
  }
}

private[multiway] object RelationIndex {

  private case class RanksKey(of: DataType, columns: Set[(Long, Int)], ordered: Boolean)

  private case class TrieKey(ids: Seq[Long], keys: Seq[Int], ranks: Seq[Ranks], listed: Boolean)

  private def trieOf(
      rows: EncodedRelation,
      keys: Seq[Int],
      domains: Seq[Domain],
      listed: Boolean): Trie = {
    val columns = domains.zip(keys).map { case (domain, k) => domain.ranks(rows, k) }
    Trie.build(columns.toArray, domains.map(_.size).toArray, listed)
  }

  /**
   * A value that is computed by the first who asks, while the others wait. What it was computed from is
   * not held any longer.
   */
  final private class Once[T <: AnyRef](private var compute: () => T) {
    @volatile private var made: Option[T] = None

    def value: T = made.getOrElse(synchronized {
      if (made.isEmpty) {
        made = Some(compute())
        compute = null
      }
      made.get
    })

    /** The value, if it is there. */
    def ready: Option[T] = made
  }
}
