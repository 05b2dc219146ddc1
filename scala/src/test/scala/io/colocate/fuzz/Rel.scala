package io.colocate.fuzz

import io.colocate.fuzz.shapes.Shape

/**
 * A column of a generated query.
 *
 * @param role the base column it descends from, see [[Role]]; 'n' for a computed number
 */
final case class Col(name: String, role: Char)

/** What the generator knows of a base column by its one-letter name. */
object Role {

  /** SQL type, and about how many different values there are. */
  private val known: Map[Char, (String, Int)] = Map('a' -> ("INT", 12), 'b' -> ("INT", 6),
    'c' -> ("INT", 4), 'h' -> ("SMALLINT", 12), 'k' -> ("BIGINT", 12), 'n' -> ("BIGINT", 15),
    'm' -> ("DECIMAL(10,2)", 8), 'w' -> ("DECIMAL(12,3)", 12), 's' -> ("STRING", 10),
    'u' -> ("STRING COLLATE UTF8_LCASE", 6), 'v' -> ("STRING COLLATE UNICODE_CI", 6),
    'x' -> ("DOUBLE", 6), 'y' -> ("FLOAT", 6), 'd' -> ("DATE", 8), 't' -> ("TIMESTAMP", 20),
    'p' -> ("STRUCT<i: INT, j: INT>", 12))

  def sqlType(role: Char): String = known(role)._1
  def distinct(role: Char): Double = known(role)._2.toDouble

  /** Whole numbers compare and add up with each other, whatever their width. */
  def isNumber(role: Char): Boolean = "abchkn".contains(role)

  def comparable(left: Char, right: Char): Boolean =
    left == right || (isNumber(left) && isNumber(right)) || (isDecimal(left) && isDecimal(right))

  /** Decimals of different scale are compared as the wider. */
  def isDecimal(role: Char): Boolean = "mw".contains(role)

  def isCollated(role: Char): Boolean = "uv".contains(role)

  /**
   * True where equal values can be told apart ('K' and 'k', 0.0 and -0.0), so that which of them a
   * query returns may be chance.
   */
  def isAmbiguous(role: Char): Boolean = "uvxy".contains(role)
}

/**
 * A generated relation: a whole SELECT whose output names are its own.
 *
 * @param rows  a guess, to keep joins small
 * @param parts the relations it was made from
 * @param shape what it is an example of
 */
final case class Rel(
    sql: String,
    cols: Seq[Col],
    rows: Double,
    parts: Seq[Rel],
    shape: Option[Shape] = None) {

  /** All relations in it, the smallest last. */
  def all: Seq[Rel] = (this +: parts.flatMap(_.all)).distinctBy(_.sql).sortBy(-_.sql.length)
}

/** A query: common table expressions by name, and the relation that may use them. */
final case class Query(ctes: Seq[(String, Rel)], root: Rel) {

  /** The text; of equal texts that differ in case one is returned by chance, so all are lowered. */
  def sql: String = {
    val output = root.cols.map { c =>
      if (Role.isCollated(c.role)) s"lower(${c.name}) AS ${c.name}" else c.name
    }.mkString(", ")
    val shared = ctes.map { case (name, rel) => s"$name AS (\n${indent(rel.sql)}\n)" }
    val head = if (shared.isEmpty) "" else shared.mkString("WITH ", ",\n", "\n")
    s"${head}SELECT $output FROM (\n${indent(root.sql)}\n) q"
  }

  def shapes: Set[Shape] = (ctes.map(_._2) :+ root).flatMap(_.all).flatMap(_.shape).toSet

  /** The same query cut down to one of its relations, for each of them, the smallest first. */
  def smaller: Seq[Query] = (ctes.map(_._2) :+ root).flatMap(_.all).distinctBy(_.sql)
    .filter(_ != root).sortBy(_.sql.length).map(rel => copy(root = rel))

  private def indent(text: String): String = text.linesIterator.map("  " + _).mkString("\n")
}
