package io.colocate.tables.format

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable

/** Statistics as JSON. The types of the bounds are those of the schema. */
private[tables] object StatsJson {

  /** A bound that is not a valid text, or whose type has no order, is written as unknown. */
  def write(stats: ColumnStats, dataType: DataType, to: ObjectNode): Unit = {
    def text(bound: Option[Any]) =
      bound.filter(_ => Orderable(dataType)).flatMap(Orderable.write(dataType, _))
    val (low, high) = (text(stats.min), text(stats.max))
    low.foreach(to.put("min", _))
    high.foreach(to.put("max", _))
    val whole = low.isDefined == stats.min.isDefined && high.isDefined == stats.max.isDefined
    to.put("nulls", stats.nulls).put("nans", stats.nans).put("bounded", stats.bounded && whole)
    if (stats.length > 0) to.put("length", stats.length)
  }

  def read(column: String, node: JsonNode, dataType: DataType): ColumnStats = {
    val fields =
      new JsonFields(s"stats of column $column", node, "min", "max", "nulls", "nans", "bounded",
        "length")
    def bound(name: String) =
      Option.when(fields.has(name))(Orderable.read(dataType, fields.text(name)))
    ColumnStats(bound("min"), bound("max"), fields.long("nulls"), fields.long("nans"),
      fields.flag("bounded"), if (fields.has("length")) fields.long("length") else 0L)
  }
}
