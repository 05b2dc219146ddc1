package io.colocate.tables.format

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable
import io.colocate.tables.tree.{Cut, Leaf, Node, Split}

/** Trees as JSON. A cut carries its type, so that a tree can be read without the schema. */
private[tables] object TreeJson {

  def write(node: Node, to: ObjectNode): Unit = node match {
    case Leaf(id) => to.put("leaf", id)
    case Split(cut, left, right) =>
      val text =
        Orderable.write(cut.dataType, cut.value).getOrElse(throw new IllegalArgumentException(
            s"the cut of column ${cut.column} has a value that is no valid text"))
      to.put("column", cut.column).put("type", cut.dataType.json).put("value", text)
        .put("inclusive", cut.inclusive).put("nullsLeft", cut.nullsLeft)
      write(left, to.putObject("left"))
      write(right, to.putObject("right"))
  }

  def read(node: JsonNode): Node =
    if (node.has("leaf")) Leaf(new JsonFields("leaf", node, "leaf").int("leaf"))
    else {
      val fields = new JsonFields("cut", node, Names: _*)
      val dataType = DataType.fromJson(fields.text("type"))
      val cut = Cut(fields.text("column"), dataType, Orderable.read(dataType, fields.text("value")),
        fields.flag("inclusive"), fields.flag("nullsLeft"))
      Split(cut, read(fields.json("left")), read(fields.json("right")))
    }

  private val Names = Seq("column", "type", "value", "inclusive", "nullsLeft", "left", "right")
}
