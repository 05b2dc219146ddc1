package io.colocate.multiway.rows

import org.apache.spark.sql.catalyst.InternalRow

import io.colocate.multiway.model.{EncodedRelation, RelationMode}

/**
 * A relation as it was broadcast: first a whole, then rows that came later, each with a number of its own.
 *
 * @param layers not empty; the first is the whole
 */
final private[multiway] class Source(val layers: Seq[Layer], mode: RelationMode) {

  def ids: Seq[Long] = layers.map(_.id)

  lazy val relation: EncodedRelation = of(layers)

  /** The rows that came after the first layers; these have the numbers from 0 on. */
  def after(first: Int): EncodedRelation = of(layers.drop(first))

  /** The number of rows of the first layers. */
  def rows(first: Int): Int = of(layers.take(first)).rows

  /** The rows of other layers than these; None if there are none. */
  def without(known: Set[Long]): Option[EncodedRelation] = {
    val others = layers.filterNot(layer => known(layer.id))
    Option.when(others.nonEmpty)(of(others))
  }

  private def of(some: Seq[Layer]): EncodedRelation =
    new EncodedRelation(some.toArray.flatMap(_.chunks), mode)
}

private[multiway] object Source {

  /** A relation that is of no use to other joins. */
  def own(relation: EncodedRelation, id: Long): Source =
    new Source(Seq(Layer(id, relation.chunks)), relation.mode)
}

/** What was broadcast at once. */
final private[multiway] case class Layer(id: Long, chunks: Array[InternalRow])
