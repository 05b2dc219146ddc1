package io.colocate.fuzz.shapes

import io.colocate.fuzz.{Col, Dice, KeyTables, Names, Rel, RelShapes, Role}

/**
 * What all makers of shapes use.
 *
 * @param sure   nothing may stand in the way of the rewrite: no counter-example, no odd input
 * @param nested an input of another shape that has columns of these roles, if there is to be one
 */
final class Kit(
    val dice: Dice,
    val names: Names,
    val sure: Boolean,
    nested: Seq[Char] => Option[Rel]) {

  val rels = new RelShapes(dice, names)

  def perhaps(p: Double): Boolean = !sure && dice.chance(p)

  /** The first of some variants where the rewrite must be seen, and any of them elsewhere. */
  def variant[T](certain: () => T, others: (() => T)*): T =
    if (sure) certain() else dice.one(certain +: others).apply()

  /** Columns of these roles, in this order, of a base table, of few of its rows, or of another shape. */
  def input(roles: Char*): Rel = {
    val found = if (perhaps(0.2)) nested(roles) else None
    val rel = found.getOrElse(table(roles))
    if (perhaps(0.12)) distinct(rel) else if (perhaps(0.12)) few(rel) else rel
  }

  private def table(roles: Seq[Char]): Rel = {
    val (name, rows) = dice.one(KeyTables.sizes)
    select(roles.map(r => s"t.$r" -> r), s"$name t", rows, Nil)
  }

  private def distinct(rel: Rel): Rel =
    grouped(columns(rel, "t"), Nil, s"${sub(rel)} t", rel.rows, Seq(rel))

  private def few(rel: Rel): Rel =
    select(columns(rel, "t"), s"${sub(rel)} t WHERE ${rels.condition(rel.cols, "t")}", rel.rows / 2,
      Seq(rel))

  /** One row for each value of the keys, with a count and a sum. */
  def summary(rel: Rel, keys: Int): Rel =
    grouped(columns(rel, "t").take(keys), Seq("count(*)", sum(rel, "t")), s"${sub(rel)} t",
      rel.rows / 2, Seq(rel))

  /** A sum over a number of the relation. */
  def sum(rel: Rel, of: String): String =
    rel.cols.find(c => Role.isNumber(c.role))
      .fold("count(*)")(c => s"sum(CAST($of.${c.name} AS BIGINT))")

  def sub(rel: Rel): String = rels.sub(rel)

  /** All columns as an expression with its role. */
  def columns(rel: Rel, of: String): Seq[(String, Char)] =
    rel.cols.map(c => column(c, of) -> c.role)

  def column(c: Col, of: String): String = s"$of.${c.name}"

  def select(exprs: Seq[(String, Char)], from: String, rows: Double, parts: Seq[Rel]): Rel = {
    val (text, out) = rels.outputs(exprs)
    Rel(s"SELECT $text FROM $from", out, rows, parts)
  }

  /** Measures are of type BIGINT. */
  def grouped(
      keys: Seq[(String, Char)],
      measures: Seq[String],
      from: String,
      rows: Double,
      parts: Seq[Rel]): Rel =
    select(keys ++ measures.map(_ -> 'n'), s"$from GROUP BY ${keys.map(_._1).mkString(", ")}", rows,
      parts)

  /** Grouped once more, by some of its columns. */
  def regrouped(rel: Rel, keys: Int*): Rel =
    grouped(keys.map(i => columns(rel, "t")(i)), Seq("count(*)", sum(rel, "t")), s"${sub(rel)} t",
      rel.rows, Seq(rel))

  /** Beside each row something of all rows with the same keys. */
  def windowed(rel: Rel, keys: Int*): Rel = {
    val by = keys.map(i => column(rel.cols(i), "t")).mkString(", ")
    val order = s"ORDER BY ${column(dice.one(rel.cols), "t")}"
    val over = dice.one(Seq(s"count(*) OVER (PARTITION BY $by)",
      s"rank() OVER (PARTITION BY $by $order)", s"${sum(rel, "t")} OVER (PARTITION BY $by)"))
    select(columns(rel, "t") :+ (s"CAST($over AS BIGINT)" -> 'n'), s"${sub(rel)} t", rel.rows,
      Seq(rel))
  }

  /** Two relations as l and r, joined. */
  def joined(l: Rel, r: Rel, on: String, kind: String = "JOIN"): String =
    s"${sub(l)} l $kind ${sub(r)} r ON $on"

  /** `l.x = r.y` for columns at these places. */
  def equal(l: Rel, r: Rel, places: Seq[Int], word: String = "="): String =
    places.map(i => s"${column(l.cols(i), "l")} $word ${column(r.cols(i), "r")}").mkString(" AND ")

  /** About how many rows a join by the first columns has. */
  def meeting(l: Rel, r: Rel, keys: Int = 1): Double =
    l.rows * r.rows / l.cols.take(keys).map(c => Role.distinct(c.role)).product
}

/** Makes examples of some shapes. */
trait Maker {
  def makes: Seq[(Shape, () => Rel)]
}
