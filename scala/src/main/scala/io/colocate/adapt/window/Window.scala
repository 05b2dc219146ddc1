package io.colocate.adapt.window

import org.apache.spark.sql.types.StructType

import io.colocate.tables.queries.AskedQuery

/** The newest queries of a table, by which it is decided what to rewrite. */
final case class Window(queries: IndexedSeq[Asked]) {

  def length: Int = queries.length

  def newest(most: Int): Window = Window(queries.takeRight(most))

  /** The queries that ran after a time in milliseconds, by their numbers. */
  def after(time: Long): IndexedSeq[Int] = queries.indices.filter(queries(_).time > time)
}

object Window {

  /**
   * Queries with filters, the oldest first. Those that ran many times count as many, up to a quarter of
   * the window, so that one dashboard does not drown all others.
   *
   * @param most how many queries to look at
   */
  def of(queries: Seq[AskedQuery], schema: StructType, most: Int): Window = {
    val asked = queries.flatMap(query => Asked(query, schema).map(_ -> query.count))
    val cap = (most / 4).max(1)
    Window(asked.flatMap { case (one, count) => Seq.fill(count.min(cap))(one) }.toIndexedSeq)
      .newest(most)
  }

  /**
   * Two halves of some queries, one to plan by and one to judge the plan by. They are dealt out in turns
   * among those that filter by the same columns: dealt out over all, queries that alternate between two
   * kinds would all of one kind be in one half, and no plan would ever pass.
   *
   * @param numbers of queries
   */
  def halves(
      queries: IndexedSeq[Asked],
      numbers: IndexedSeq[Int]): (IndexedSeq[Int], IndexedSeq[Int]) = {
    val (even, odd) = numbers.groupBy(queries(_).columns).values.toSeq
      .flatMap(_.zipWithIndex).partition(_._2 % 2 == 0)
    (even.map(_._1).sorted.toIndexedSeq, odd.map(_._1).sorted.toIndexedSeq)
  }
}
