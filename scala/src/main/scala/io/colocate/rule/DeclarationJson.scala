package io.colocate.rule

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}

/**
 * Declarations as JSON, as a table's property and the session's setting hold them:
 * {{{
 *   [{"key": ["id"], "rely": true}, {"columns": ["a"], "determine": ["b", "c"]}]
 *   {"parquet.`file:/data/t`": [{"unique": ["u"], "rely": true}]}
 * }}}
 * Reading is strict: a field that is not known may change what the others mean.
 */
object DeclarationJson {

  val Accepted: String =
    "a JSON array of declarations, such as [{\"key\": [\"id\"], \"rely\": true}," +
      " {\"columns\": [\"a\"], \"determine\": [\"b\"], \"rely\": true}]"

  /** The declarations of one table; None if the text is not accepted. */
  def read(text: String): Option[Seq[Declaration]] = parsed(text).flatMap(declarations)

  /** The declarations of a session; None if the text is not accepted. */
  def readAll(text: String): Option[Declarations] = parsed(text).filter(_.isObject).flatMap { all =>
    val tables = all.properties.asScala.toSeq.map(e => e.getKey -> declarations(e.getValue))
    Option.when(tables.forall(_._2.nonEmpty))(Declarations(tables.map { case (table, declared) =>
    table -> declared.get
  }.toMap))
  }

  def write(declared: Seq[Declaration]): String = {
    val array = mapper.createArrayNode()
    declared.foreach(put(array.addObject(), _))
    array.toString
  }

  /** Tables in the order of their names, so that equal declarations give equal text. */
  def write(all: Declarations): String = {
    val tables = mapper.createObjectNode()
    all.byTable.toSeq.sortBy(_._1).foreach { case (table, declared) =>
      val array = tables.putArray(table)
      declared.foreach(put(array.addObject(), _))
    }
    tables.toString
  }

  private def put(node: ObjectNode, declared: Declaration): Unit = {
    declared.kind match {
      case DeclaredKind.Determines =>
        names(node.putArray(Columns), declared.of)
        names(node.putArray(Determine), declared.determined)
      case key => names(node.putArray(key.name), declared.of)
    }
    node.put(Rely, declared.rely)
  }

  private def names(array: ArrayNode, columns: Seq[String]): Unit = columns.foreach(array.add(_))

  private def declarations(node: JsonNode): Option[Seq[Declaration]] =
    if (!node.isArray) None
    else {
      val each = node.elements.asScala.toSeq.map(declaration)
      Option.when(each.forall(_.nonEmpty))(each.flatten)
    }

  private def declaration(node: JsonNode): Option[Declaration] = {
    val fields = node.properties.asScala.map(_.getKey).toSet
    def columns(field: String): Seq[String] =
      Option(node.get(field)).filter(_.isArray).toSeq.flatMap(_.elements.asScala).map(name =>
        if (name.isTextual) name.textValue else "")
    val rely = Option(node.get(Rely)).fold[Option[Boolean]](Some(false))(value =>
      Option.when(value.isBoolean)(value.booleanValue))
    val kind = fields - Rely match {
      case only if only == Set(DeclaredKind.Key.name) => Some(DeclaredKind.Key)
      case only if only == Set(DeclaredKind.Unique.name) => Some(DeclaredKind.Unique)
      case both if both == Set(Columns, Determine) => Some(DeclaredKind.Determines)
      case _ => None
    }
    for {
      kind <- kind
      rely <- rely
      (of, determined) = kind match {
        case DeclaredKind.Determines => (columns(Columns), columns(Determine))
        case key => (columns(key.name), Nil)
      }
      if of.nonEmpty && (determined.nonEmpty || kind != DeclaredKind.Determines)
      if !(of ++ determined).contains("")
    } yield Declaration(kind, of, determined, rely)
  }

  private def parsed(text: String): Option[JsonNode] =
    Try(mapper.readTree(text)).toOption.filter(node => node != null && !node.isMissingNode)

  private val Columns = "columns"
  private val Determine = "determine"
  private val Rely = "rely"
  private val mapper = JsonMapper.builder().build()
}
