package io.colocate.multiway.rows

import java.lang.ref.SoftReference
import java.util.WeakHashMap

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.types.DataType

import io.colocate.multiway.model.{KeyType, Payload}
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

/** What is built of one relation. Each part is built once, by the first task that needs it. */
final private[multiway] class RelationIndex {
  import RelationIndex._

  private val ranks = TrieMap.empty[RanksKey, Once[Ranks]]
  private val tries = TrieMap.empty[TrieKey, Once[Trie]]
  private val payloads = TrieMap.empty[Seq[Long], Once[Payload]]

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
      built: Long => Unit): Trie = {
    val key = TrieKey(source.ids, keys, ranks, listed)
    tries.getOrElseUpdate(key,
      new Once(() => {
        val earlier = before(source.ids)(ids => tries.get(key.copy(ids = ids)))
        val made = earlier.fold(RelationIndex.built(source, 0, key)) { case (n, trie) =>
          MergedTrie(trie, RelationIndex.built(source, n, key), source.rows(n),
            ranks.head.domain.size)
        }
        built(made.bytes)
        earlierOf(source.ids).foreach(ids => tries.remove(key.copy(ids = ids)))
        made
      })).value
  }

  /** The carried columns of the rows. */
  def payloadOf(source: Source)(built: Long => Unit): Payload =
    payloads.getOrElseUpdate(source.ids,
      new Once(() => {
        val earlier = before(source.ids)(payloads.get)
        val made = earlier.fold(source.relation.payload) { case (n, payload) =>
          payload ++ source.after(n).payload
        }
        built(made.bytes)
        earlierOf(source.ids).foreach(payloads.remove)
        made
      })).value

  /** What is there of the most of the first layers, and how many layers these are. */
  private def before[T <: AnyRef](ids: Seq[Long])(
      known: Seq[Long] => Option[Once[T]]): Option[(Int, T)] =
    earlierOf(ids).flatMap(some => known(some).flatMap(_.ready).map((some.length, _))).nextOption()

  /** The first layers, the most of them first. */
  private def earlierOf(ids: Seq[Long]): Iterator[Seq[Long]] =
    Iterator.iterate(ids.init)(_.init).take(ids.length - 1)
}

private[multiway] object RelationIndex {

  private case class RanksKey(of: DataType, columns: Set[(Long, Int)], ordered: Boolean)

  private case class TrieKey(ids: Seq[Long], keys: Seq[Int], ranks: Seq[Ranks], listed: Boolean)

  /** The trie of the rows after the first layers. */
  private def built(source: Source, first: Int, key: TrieKey): Trie = {
    val rows = source.after(first)
    val domains = key.ranks.map(_.domain)
    val columns = domains.zip(key.keys).map { case (domain, k) => domain.ranks(rows, k) }
    Trie.build(columns.toArray, domains.map(_.size).toArray, key.listed)
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
