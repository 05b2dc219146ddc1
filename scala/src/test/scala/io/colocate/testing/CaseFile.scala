package io.colocate.testing

import scala.io.Source
import scala.util.Using

/**
 * A query shape of a case file: its attributes, and its SQL unless a builder names the query.
 *
 * @param stock shuffles that Spark alone runs, a reused one counted once
 * @param least shuffles that it takes
 */
final case class QueryCase(
    id: String,
    title: String,
    stock: Int,
    least: Int,
    attributes: Map[String, String],
    sql: String) {

  def name: String = s"$id: $title"

  /** True where the query's plan can be compared as a text. */
  def hasPlanText: Boolean = sql.nonEmpty && !attributes.get("plan").contains("varies")
}

/**
 * Reads a case file: blocks of `--- key: value` lines, the first of which is the case's number and
 * title, followed by SQL. The lines before the first block that has a `shuffles` line are its prose.
 */
object CaseFile {

  private val Attribute = """--- ([A-Za-z0-9]+): (.*)""".r
  private val Shuffles = """(\d+) -> (\d+)""".r

  def read(resource: String): Seq[QueryCase] = {
    val text = Using.resource(Source.fromResource(resource))(_.mkString)
    text.split("\n\\s*\n").toSeq.map(_.linesIterator.toSeq).filter(isCase).map(parse)
  }

  private def isCase(block: Seq[String]): Boolean = block.exists(_.startsWith("--- shuffles:")) &&
    !block.exists(_.contains("<number>"))

  private def parse(block: Seq[String]): QueryCase = {
    val (head, sql) = block.span(_.startsWith("---"))
    val attributes = head.collect { case Attribute(key, value) => key -> value.trim }
    require(attributes.size == head.size, s"not `--- key: value`: ${head.mkString("\n")}")
    val (id, title) = attributes.head
    val rest = attributes.tail.toMap
    val (stock, least) = rest("shuffles") match {
      case Shuffles(from, to) => (from.toInt, to.toInt)
      case other => throw new IllegalArgumentException(s"case $id: shuffles: $other")
    }
    QueryCase(id, title, stock, least, rest - "shuffles", sql.mkString("\n"))
  }
}
