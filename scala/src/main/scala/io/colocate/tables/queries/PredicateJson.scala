package io.colocate.tables.queries

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.DataType

import io.colocate.facts.types.Orderable

/**
 * Predicates as JSON, as [[AskedPredicate]] keeps them: each an object whose first field names what it is.
 *
 * {{{
 *   a < 5 OR unknown      {"or": [{"<": [{"column": "a", "type": "integer"},
 *                                        {"value": "5", "type": "integer"}]}, {"unknown": true}]}
 * }}}
 */
private[queries] object PredicateJson {

  private type Make = Seq[Expression] => Expression

  private val operators: Seq[(String, Class[_ <: Expression], Make)] =
    Seq(("and", classOf[And], es => And(es.head, es(1))),
      ("or", classOf[Or], es => Or(es.head, es(1))), ("not", classOf[Not], es => Not(es.head)),
      ("<", classOf[LessThan], es => LessThan(es.head, es(1))),
      ("<=", classOf[LessThanOrEqual], es => LessThanOrEqual(es.head, es(1))),
      (">", classOf[GreaterThan], es => GreaterThan(es.head, es(1))),
      (">=", classOf[GreaterThanOrEqual], es => GreaterThanOrEqual(es.head, es(1))),
      ("=", classOf[EqualTo], es => EqualTo(es.head, es(1))),
      ("<=>", classOf[EqualNullSafe], es => EqualNullSafe(es.head, es(1))),
      ("in", classOf[In], es => In(es.head, es.tail)),
      ("startsWith", classOf[StartsWith], es => StartsWith(es.head, es(1))),
      ("isNull", classOf[IsNull], es => IsNull(es.head)),
      ("isNotNull", classOf[IsNotNull], es => IsNotNull(es.head)),
      ("isNaN", classOf[IsNaN], es => IsNaN(es.head)))

  private val named = operators.map(op => op._1 -> op._3).toMap
  private val names = operators.map(op => (op._2: Class[_]) -> op._1).toMap

  def write(e: Expression): ObjectNode = {
    val json = JsonNodeFactory.instance.objectNode()
    e match {
      case AskedPredicate.Unknown => json.put("unknown", true)
      case a: Attribute => json.put("column", a.name).put("type", a.dataType.json)
      case Literal(value, dataType) =>
        val text = Option(value).flatMap(Orderable.write(dataType, _)).orNull
        json.put("value", text).put("type", dataType.json)
      case Cast(child, dataType, zone, mode) =>
        json.set[ObjectNode]("cast", write(child)).put("type", dataType.json)
          .put("zone", zone.orNull).put("mode", mode.toString)
      case other =>
        val children = json.putArray(names.getOrElse(other.getClass,
          throw new IllegalArgumentException(s"${other.prettyName} is not kept of a predicate")))
        other.children.foreach(child => children.add(write(child)))
    }
    json
  }

  /** @throws RuntimeException for what [[write]] did not make */
  def read(json: JsonNode): Expression = {
    val field = json.fieldNames.next()
    def dataType = DataType.fromJson(json.get("type").textValue)
    field match {
      case "unknown" => AskedPredicate.Unknown
      case "column" => AskedPredicate.column(json.get("column").textValue, dataType)
      case "value" =>
        val text = Option(json.get("value").textValue)
        Literal(text.map(Orderable.read(dataType, _)).orNull, dataType)
      case "cast" =>
        Cast(read(json.get("cast")), dataType, Option(json.get("zone").textValue),
          EvalMode.withName(json.get("mode").textValue))
      case operator => named(operator)(json.get(operator).elements.asScala.map(read).toSeq)
    }
  }
}
