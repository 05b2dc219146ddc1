package io.colocate.multiway.exec

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow

import io.colocate.multiway.model.RelationMode
import io.colocate.multiway.rows.{Layer, Source}

/**
 * A relation that was broadcast before, and the rows that have come since: executors that have the first get
 * only these.
 *
 * @param layers in the order in which they were broadcast, two or more
 */
final private[multiway] class LayeredBroadcast(val layers: Seq[Broadcast[Array[InternalRow]]])
    extends Broadcast[Array[InternalRow]](layers.last.id) {

  override protected def getValue(): Array[InternalRow] = layers.toArray.flatMap(_.value)

  override protected def doUnpersist(blocking: Boolean): Unit =
    layers.foreach(_.unpersist(blocking))

  override protected def doDestroy(blocking: Boolean): Unit = doUnpersist(blocking)
}

private[multiway] object LayeredBroadcast {

  def layers(broadcast: Broadcast[Array[InternalRow]]): Seq[Broadcast[Array[InternalRow]]] =
    broadcast match {
      case layered: LayeredBroadcast => layered.layers
      case whole => Seq(whole)
    }

  /** The relation as executors build indexes of it. */
  def source(broadcast: Broadcast[Array[InternalRow]], mode: RelationMode): Source =
    new Source(layers(broadcast).map(layer => Layer(layer.id, layer.value)), mode)
}
