package io.colocate.adapt.window

/** The newest queries of a table, by which it is decided what to rewrite. */
final case class Window(queries: IndexedSeq[Asked]) {

  def length: Int = queries.length

  def newest(most: Int): Window = Window(queries.takeRight(most))

  /** The queries that ran after a time in milliseconds, by their numbers. */
  def after(time: Long): IndexedSeq[Int] = queries.indices.filter(queries(_).time > time)
}

object Window {

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
