package io.colocate.hyperjoin.grouping

/** Sets of numbers that are joined two by two (union-find). */
final private[grouping] class Components(size: Int) {

  private val parent = Array.tabulate(size)(identity)

  @scala.annotation.tailrec
  private def root(i: Int): Int =
    if (parent(i) == i) i
    else {
      parent(i) = parent(parent(i))
      root(parent(i))
    }

  def join(i: Int, j: Int): Unit = parent(root(i)) = root(j)

  /** In the order of their smallest members. */
  def all: IndexedSeq[IndexedSeq[Int]] =
    parent.indices.groupBy(root).values.toIndexedSeq.sortBy(_.head)
}
