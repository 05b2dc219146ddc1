package io.colocate.adapt.ledger

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}

import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.adapt.cost.{Layout, Part}
import io.colocate.facts.types.Orderable
import io.colocate.tables.pruning.{Bounds, KnownRows}

/**
 * A [[Ledger]] as JSON. Of each layout the bounds of some columns are kept, those that are filtered by;
 * of the others nothing is known when it is read, so that a query is taken to read their rows.
 *
 * @param columns the columns that are kept, by name
 */
final class LedgerJson(schema: StructType, columns: Set[String]) {

  import LedgerJson._

  def write(ledger: Ledger): String = {
    val to = mapper.createObjectNode
    to.put("format", Format).put("rewritten", ledger.rewritten).put("saved", ledger.saved)
      .put("until", ledger.until)
    write(ledger.first, to.putArray("first"))
    val rewrites = to.putArray("rewrites")
    ledger.rewrites.foreach { rewrite =>
      val node = rewrites.addObject()
      val owed = node.putObject("owed")
      rewrite.owed.toSeq.sorted.foreach { case (leaf, debt) => owed.put(leaf.toString, debt) }
      write(rewrite.replaced, node.putArray("replaced"))
    }
    to.toString
  }

  /** @throws IllegalArgumentException if the text is of another format, or damaged */
  def read(text: String): Ledger = {
    val node = mapper.readTree(text)
    require(node.path("format").asInt == Format, s"format ${node.path("format")}; known is $Format")
    val rewrites = array(node, "rewrites").map { rewrite =>
      val owed = needed(rewrite, "owed").properties.asScala
        .map(field => field.getKey.toInt -> field.getValue.asDouble).toMap
      Rewrite(layout(array(rewrite, "replaced")), owed)
    }
    Ledger(layout(array(node, "first")), needed(node, "rewritten").asLong,
      needed(node, "saved").asDouble, rewrites, needed(node, "until").asLong)
  }

  private def write(layout: Layout, to: ArrayNode): Unit = layout.parts.foreach { part =>
    val node = to.addObject().put("rows", part.rows)
    val known = node.putObject("columns")
    schema.fields.zipWithIndex.foreach { case (field, column) =>
      if (columns(field.name) && Orderable(field.dataType))
        write(part.known.bounds(column), field.dataType, known.putObject(field.name))
    }
  }

  private def write(bounds: Bounds, dataType: DataType, to: ObjectNode): Unit = {
    to.put("null", bounds.mayBeNull).put("nan", bounds.mayBeNaN).put("value", bounds.mayBeValue)
    def end(name: String, value: Any, included: Boolean): Unit =
      Option(value).flatMap(Orderable.write(dataType, _)).foreach { text =>
        to.put(name, text).put(s"${name}Included", included)
      }
    end("min", bounds.min, bounds.minIncluded)
    end("max", bounds.max, bounds.maxIncluded)
  }

  private def layout(parts: Seq[JsonNode]): Layout = Layout(parts.map { part =>
    val known = needed(part, "columns")
    val bounds = schema.fields.map { field =>
      Option(known.get(field.name)).fold(Bounds.unknown(Bounds.floating(field.dataType)))(
        LedgerJson.bounds(_, field.dataType))
    }
    Part(needed(part, "rows").asLong, new Kept(bounds))
  }.toIndexedSeq)
}

object LedgerJson {

  private val Format = 1
  private val mapper = JsonMapper.builder().build()

  final private class Kept(known: Array[Bounds]) extends KnownRows {
    override def bounds(column: Int): Bounds = known(column)
  }

  private def bounds(node: JsonNode, dataType: DataType): Bounds = {
    def end(name: String): Any =
      Option(node.get(name)).map(text => Orderable.read(dataType, text.asText)).orNull
    def included(name: String) = node.path(name).asBoolean(true)
    Bounds(mayBeNull = needed(node, "null").asBoolean, mayBeNaN = needed(node, "nan").asBoolean,
      mayBeValue = needed(node, "value").asBoolean, min = end("min"),
      minIncluded = included("minIncluded"), max = end("max"),
      maxIncluded = included("maxIncluded"))
  }

  private def needed(node: JsonNode, name: String): JsonNode = {
    val found = node.get(name)
    require(found != null, s"$name is missing")
    found
  }

  private def array(node: JsonNode, name: String): Seq[JsonNode] =
    needed(node, name).elements.asScala.toSeq
}
