package io.colocate.tables.format

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * The fields of one JSON object. Reading is strict, as an unknown field may change what the others mean:
 * each field must be present and of its type, and no other field is allowed.
 *
 * @param what  names the object in errors
 * @param names the fields that it may have
 */
final private[tables] class JsonFields(what: String, node: JsonNode, names: String*) {

  if (!node.isObject) fail(s"$what is $node; accepted: an object")
  node.properties.asScala.map(_.getKey).find(!names.contains(_)).foreach { name =>
    fail(s"$what has a field '$name'; known are ${names.mkString(", ")}")
  }

  def text(name: String): String = value(name, "a text", _.isTextual).textValue

  def long(name: String): Long =
    value(name, "a whole number", n => n.isIntegralNumber && n.canConvertToLong).longValue

  def int(name: String): Int =
    value(name, "a whole number", n => n.isIntegralNumber && n.canConvertToInt).intValue

  def flag(name: String): Boolean = value(name, "true or false", _.isBoolean).booleanValue

  def json(name: String): JsonNode = value(name, "an object", _.isObject)

  def texts(name: String): Seq[String] =
    value(name, "a list of texts", n => n.isArray && n.elements.asScala.forall(_.isTextual))
      .elements.asScala.map(_.textValue).toVector

  def has(name: String): Boolean = node.has(name)

  /** A nested object whose field names are data. */
  def map[T](name: String)(read: (String, JsonFields) => T): Map[String, T] = {
    val nested = json(name)
    val keys = nested.properties.asScala.map(_.getKey).toSeq
    val inner = new JsonFields(s"$what.$name", nested, keys: _*)
    keys.map(key => key -> read(key, inner)).toMap
  }

  private def value(name: String, accepted: String, right: JsonNode => Boolean): JsonNode = {
    val found = node.get(name)
    if (found == null) fail(s"$what has no field '$name'")
    if (!right(found)) fail(s"$what.$name is $found; accepted: $accepted")
    found
  }

  private def fail(problem: String): Nothing = throw new IllegalArgumentException(problem)
}

private[tables] object JsonFields {

  /** Writes a map, its keys in order, so that equal maps give equal text. */
  def put[T](to: ObjectNode, name: String, map: Map[String, T])(
      write: (ObjectNode, String, T) => Unit): Unit = {
    val inner = to.putObject(name)
    map.toSeq.sortBy(_._1).foreach { case (key, value) => write(inner, key, value) }
  }
}
