package io.colocate.fuzz.shapes

import io.colocate.fuzz.Rel

/** Groupings by days and instants at several grains, one above the other. */
final class DateShapes(kit: Kit) extends Maker {
  import kit._

  override def makes: Seq[(Shape, () => Rel)] =
    Shape.dates.map(shape => shape -> (() => made(shape.name)))

  private def made(coarse: String): Rel =
    variant(() => grains(coarse), () => grains(coarse), () => finer(coarse), () => joinedOn(coarse))

  /** A grain as an expression, and the role of its values. */
  private type Grain = String => (String, Char)

  private def grain(name: String): Grain = name match {
    case "date_trunc" =>
      val unit = dice.one(Seq("DAY", "WEEK", "MONTH", "QUARTER", "YEAR"))
      column => (s"date_trunc('$unit', $column)", 't')
    case "trunc" =>
      val unit = dice.one(Seq("WEEK", "MM", "QUARTER", "YEAR"))
      column => (s"trunc($column, '$unit')", 'd')
    case "to_date" => column => (s"to_date($column)", 'd')
    case "year" => column => (s"CAST(year($column) AS BIGINT)", 'n')
  }

  private def fine(coarse: String): Grain = coarse match {
    case "date_trunc" | "to_date" => c => (s"date_trunc('HOUR', $c)", 't')
    case "trunc" => c => (c, 'd')
    case _ => c => (s"trunc($c, 'MM')", 'd')
  }

  private def source(coarse: String): Rel =
    if (coarse == "date_trunc" || coarse == "to_date") input('t', 'a', 'k')
    else input('d', 'a', 'k')

  /** By hour, then by day, then perhaps by year. */
  private def grains(coarse: String): Rel = {
    val rows = source(coarse)
    val beside = if (perhaps(0.3)) Seq(column(rows.cols(1), "t") -> 'a') else Nil
    val byFine = grouped(fine(coarse)(column(rows.cols.head, "t")) +: beside,
      Seq("count(*)", sum(rows, "t")), s"${sub(rows)} t", rows.rows / 2, Seq(rows))
    val byCoarse = at(byFine, grain(coarse))
    val isTime = "td".contains(byCoarse.cols.head.role)
    if (isTime && perhaps(0.5)) at(byCoarse, grain("year")) else byCoarse
  }

  private def at(rel: Rel, grain: Grain): Rel =
    grouped(Seq(grain(column(rel.cols.head, "t"))), Seq("count(*)", sum(rel, "t")),
      s"${sub(rel)} t", rel.rows / 2, Seq(rel))

  /** First by the coarse grain and the raw column, then by the coarse grain alone. */
  private def finer(coarse: String): Rel = {
    val rows = source(coarse)
    val raw = column(rows.cols.head, "t") -> rows.cols.head.role
    val both = grouped(Seq(raw, grain(coarse)(raw._1)), Seq("count(*)"), s"${sub(rows)} t",
      rows.rows, Seq(rows))
    if (dice.chance(0.5)) regrouped(both, 1) else windowed(regrouped(both, 0, 1), 1)
  }

  /** Joined on a coarse grain, grouped by the raw column. */
  private def joinedOn(coarse: String): Rel = {
    val (left, right) = (source(coarse), source(coarse))
    val to = grain(coarse)
    val (l, r) = (column(left.cols.head, "l"), column(right.cols.head, "r"))
    val kind = dice.one(Seq("JOIN", "LEFT JOIN", "FULL OUTER JOIN"))
    grouped(Seq(l -> left.cols.head.role), Seq("count(*)"),
      joined(left, right, s"${to(l)._1} = ${to(r)._1}", kind), left.rows, Seq(left, right))
  }
}
