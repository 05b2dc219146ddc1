package io.colocate.adapt.cost

import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.Node

/** What queries would read of the leaves of a tree as they are stored. */
trait PresentReads {

  def rows(leaf: Int): Long

  /** When the newest of its rows were written, in milliseconds. */
  def written(leaf: Int): Long

  /** The rows that a query reads. */
  def read(query: Asked, leaf: Int): Long

  final def rows(node: Node): Long = node.leaves.iterator.map(leaf => rows(leaf.id)).sum

  final def written(node: Node): Long =
    node.leaves.iterator.map(leaf => written(leaf.id)).maxOption.getOrElse(0L)

  final def read(query: Asked, node: Node): Long =
    node.leaves.iterator.map(leaf => read(query, leaf.id)).sum
}
