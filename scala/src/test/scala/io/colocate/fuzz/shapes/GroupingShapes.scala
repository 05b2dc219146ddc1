package io.colocate.fuzz.shapes

import io.colocate.fuzz.Rel

/** Groupings of several kinds above joins and set operations. */
final class GroupingShapes(kit: Kit) extends Maker {
  import kit._

  override def makes: Seq[(Shape, () => Rel)] =
    Seq(
      Shape.SeveralDistinct -> (() => severalDistinct()),
      Shape.GroupingSets -> (() => groupingSets()), Shape.NullSafe -> (() => nullSafe()),
      Shape.Merged -> (() => merged()), Shape.EqualColumns -> (() => equalColumns())) ++
      Shape.subtotals.map(shape => shape -> (() => subtotal(shape.name))) ++
      (Shape.ofSets ++ Shape.ofBags).map(shape => shape -> (() => setOperation(shape.name)))

  private def key(): Char = dice.one("abksdm".toSeq)

  /** Joined on the first column; the columns of both sides. */
  private def meet(l: Rel, r: Rel, kind: String = "JOIN"): Rel =
    select(columns(l, "l") ++ columns(r, "r").drop(1), joined(l, r, equal(l, r, Seq(0)), kind),
      meeting(l, r) + l.rows, Seq(l, r))

  private def kind(): String = variant(() => "JOIN", () => "LEFT JOIN", () => "FULL OUTER JOIN")

  private def severalDistinct(): Rel = {
    val role = key()
    val rows = meet(input(role, 'c', 'k'), input(role, 'c', 's'), kind())
    val Seq(by, first, second, third, _*) = rows.cols.map(column(_, "t"))
    val filter = if (perhaps(0.2)) s" FILTER (WHERE $second > 1)" else ""
    val more = dice.some(Seq("count(*)", s"sum(DISTINCT CAST($second AS BIGINT))",
      s"count(DISTINCT $second, $third)", s"max(CAST($first AS BIGINT))"), dice.between(0, 2))
    val keys = Seq(by -> role) ++ (if (perhaps(0.25)) Seq(third -> rows.cols(3).role) else Nil)
    grouped(keys, Seq(s"count(DISTINCT $first)$filter", s"count(DISTINCT $second)") ++ more,
      s"${sub(rows)} t", rows.rows / 2, Seq(rows))
  }

  private def groupingSets(): Rel = {
    val role = dice.one("aksd".toSeq)
    val rows = meet(input(role, 'b', 'c'), input(role, 'm'), kind())
    val Seq(by, b, c, m) = rows.cols.map(column(_, "t"))
    val sets =
      dice.one(Seq(s"($by, $b), ($by, $c)", s"($by, $b, $c), ($by)", s"($by), ($by, $b)")) +
        (if (perhaps(0.3)) dice.one(Seq(s", ($b, $c)", ", ()")) else "")
    val list = Seq(by -> role, b -> 'b', c -> 'c').filter(k => sets.split("[(), ]+").contains(k._1))
    val id = if (dice.chance(0.3)) Seq(s"CAST(grouping_id() AS BIGINT)") else Nil
    val made = select(list ++ (Seq("count(*)", s"count($m)") ++ id).map(_ -> 'n'),
      s"${sub(rows)} t GROUP BY GROUPING SETS ($sets)", rows.rows, Seq(rows))
    if (perhaps(0.3)) windowed(made, 0) else made
  }

  /** ROLLUP or CUBE, and a grouping of its groups. */
  private def subtotal(word: String): Rel = {
    val rows =
      if (dice.chance(0.5)) input('a', 'b', 'k') else meet(input('a', 'b'), input('a', 'k'), kind())
    val Seq(a, b, _) = rows.cols.map(column(_, "t"))
    val made = select(Seq(a -> 'a', b -> 'b', "count(*)" -> 'n', sum(rows, "t") -> 'n'),
      s"${sub(rows)} t GROUP BY $word ($a, $b)", rows.rows, Seq(rows))
    variant(() => regrouped(made, 0), () => windowed(made, 1), () => windowed(made, 0, 1))
  }

  private def nullSafe(): Rel = {
    val role = dice.one("aksdm".toSeq)
    val (l, r) = (input(role, 'b', 'c'), input(role, 'b', 'k'))
    val on = equal(l, r, Seq(0, 1), "<=>")
    val word =
      variant(() => "JOIN", () => "LEFT JOIN", () => "LEFT SEMI JOIN", () => "LEFT ANTI JOIN")
    val rows = select(columns(l, "l"), joined(l, r, on, word), meeting(l, r, 2) + l.rows, Seq(l, r))
    variant(() => regrouped(rows, 0), () => windowed(rows, 0), () => regrouped(rows, 1))
  }

  private def setOperation(word: String): Rel = {
    val roles = Seq(dice.one("aksdcm".toSeq), 'b')
    val (l, r) = (input(roles: _*), input(roles: _*))
    val third = if (perhaps(0.3)) Seq(input(roles: _*)) else Nil
    val out = roles.map(names.fresh)
    val branches = (Seq(l, r) ++ third).map { rel =>
      val list = columns(rel, "t").map(_._1).zip(out).map { case (e, as) => s"$e AS ${as.name}" }
      s"(SELECT ${list.mkString(", ")} FROM ${sub(rel)} t)"
    }
    val rows = Rel(branches.mkString(s"\n$word\n"), out, l.rows, Seq(l, r) ++ third)
    variant(() => regrouped(rows, 0), () => regrouped(rows, 1), () => windowed(rows, 0))
  }

  /** Whole partitions are put together, above a join and below a grouping. */
  private def merged(): Rel = {
    val role = key()
    val rows = meet(input(role, 'b'), input(role, 'k'))
    val list = rows.cols.map(_.name).mkString(", ")
    val parts = dice.between(2, 3)
    val made = rows.copy(sql = s"SELECT /*+ COALESCE($parts) */ $list FROM ${sub(rows)} t",
      parts = Seq(rows))
    variant(
      () => regrouped(made, 0), () => windowed(made, 0), () => meet(made, input(role, 'c'), kind()))
  }

  /** Joined on a where a = b, grouped by b. */
  private def equalColumns(): Rel = {
    val (l, r) = (input('a', 'b', 'k'), input('a', 'c'))
    val Seq(a, b) = l.cols.take(2).map(column(_, "l"))
    val word = if (perhaps(0.2)) "<=>" else "="
    val rows = select(columns(l, "l") ++ columns(r, "r").drop(1),
      s"${joined(l, r, equal(l, r, Seq(0)))} WHERE $a $word $b", meeting(l, r), Seq(l, r))
    variant(() => regrouped(rows, 1), () => windowed(rows, 1))
  }
}
