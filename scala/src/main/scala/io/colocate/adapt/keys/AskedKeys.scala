package io.colocate.adapt.keys

import org.apache.spark.sql.types.StructType

import io.colocate.adapt.window.Asked
import io.colocate.facts.types.Orderable
import io.colocate.tables.queries.{AskedJoin, AskedQuery}

/**
 * By which keys queries have joined a table.
 *
 * A join counts if the other table is laid out by columns that it is joined by: otherwise that one is
 * shuffled whatever this table is laid out by. The key is then the columns that these are joined to.
 *
 * {{{
 *   l_partkey = ps_partkey AND l_suppkey = ps_suppkey, and partsupp has the key ps_partkey   =>   l_partkey
 * }}}
 *
 * @param table  the path of the table
 * @param own    the key that it is laid out by
 * @param others the keys that other tables are laid out by, by their paths
 */
final class AskedKeys(
    table: String,
    schema: StructType,
    own: Seq[String],
    others: String => Seq[String]) {

  private val cuttable =
    schema.filter(field => Orderable(field.dataType)).map(_.name).zipWithIndex.toMap

  /**
   * The newest queries that have joined it, the newest last. One that ran many times within a minute
   * counts as up to a quarter of them: only the last of these times is known, so that queries which take
   * turns would look like some of one kind, and then some of the other.
   *
   * @param queries the oldest first
   */
  def reads(queries: Seq[AskedQuery]): IndexedSeq[JoinedRead] =
    queries.reverseIterator.flatMap(read).take(KeyRegret.Window).toVector.reverse

  private def read(query: AskedQuery): Seq[JoinedRead] = {
    val keys = query.joins.flatMap(key(_)).toSet
    if (keys.isEmpty) Nil
    else {
      val one = JoinedRead(keys, query.rows * Asked.weight(query, schema))
      Seq.fill(query.count.min(KeyRegret.Window / 4))(one)
    }
  }

  /**
   * The rows that queries have read less of the table than by another key that it had before; below 0 if
   * they read more.
   */
  def saved(queries: Seq[AskedQuery], before: Seq[String]): Double =
    queries.filter(_.joins.nonEmpty).flatMap(read).map { read =>
      if (read.keys(own) == read.keys(before)) 0.0
      else if (read.keys(own)) KeyRegret.gain(read)
      else -KeyRegret.gain(read)
    }.sum

  /** The tables that are joined by a key, those first that most queries join. */
  def partners(queries: Seq[AskedQuery], key: Seq[String]): Seq[String] = {
    val joins = queries.flatMap(_.joins).filter(join => join.other != table && isBy(join, key))
    joins.groupBy(_.other).toSeq.sortBy { case (other, some) => (-some.length, other) }.map(_._1)
  }

  private def isBy(join: AskedJoin, wanted: Seq[String]): Boolean = key(join).contains(wanted)

  private def key(join: AskedJoin): Option[Seq[String]] = {
    val found =
      if (join.other == table) ofItself(join)
      else {
        val ours = join.otherColumns.zip(join.columns).toMap
        val theirs = others(join.other)
        Option.when(theirs.nonEmpty && theirs.forall(ours.contains))(theirs.map(ours))
      }
    found.filter(key => key.distinct.length == key.length && key.forall(cuttable.contains))
  }

  /** Joined to itself by the same columns, it is laid out by what both sides need. */
  private def ofItself(join: AskedJoin): Option[Seq[String]] =
    Option.when(join.columns == join.otherColumns) {
      if (own.nonEmpty && own.forall(join.columns.contains)) own
      else join.columns.sortBy(cuttable.getOrElse(_, Int.MaxValue))
    }
}
