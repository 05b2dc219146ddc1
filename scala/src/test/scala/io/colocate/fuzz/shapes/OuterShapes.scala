package io.colocate.fuzz.shapes

import io.colocate.fuzz.Rel

/** Outer joins whose key is that of one side or the other. */
final class OuterShapes(kit: Kit) extends Maker {
  import kit._

  override def makes: Seq[(Shape, () => Rel)] =
    Seq(Shape.FullOuterChain -> (() => chain()), Shape.FullOuterUsing -> (() => using())) ++
      Shape.spellings.map(shape => shape -> (() => oneKey(shape.name)))

  /** A key that is not ambiguous, so that COALESCE of it may be taken for either side's. */
  private def key(): Char = dice.one("abksdp".toSeq)

  /** Full outer joins by the key of all before; the later sides have each key once, or rows multiply. */
  private def chain(): Rel = {
    val role = key()
    val first = input(role, 'c')
    val last = (1 to dice.between(2, 3)).foldLeft(first) { (left, _) =>
      val right = summary(input(role, 'b'), keys = 1)
      val (l, r) = (column(left.cols.head, "l"), column(right.cols.head, "r"))
      val kind = if (perhaps(0.15)) "LEFT JOIN" else "FULL OUTER JOIN"
      select((spelled(dice.one(Shape.spellings).name, l, r) -> role) +:
          (columns(left, "l").tail.takeRight(2) :+ columns(right, "r").last),
        joined(left, right, s"$l = $r", kind), left.rows + right.rows, Seq(left, right))
    }
    if (perhaps(0.4)) last else regrouped(last, 0)
  }

  /** The columns of USING have one name on all sides. */
  private def using(): Rel = {
    val roles = if (dice.chance(0.3)) Seq('a', 'b') else Seq(key())
    val shared = roles.map(names.fresh)
    val list = shared.map(_.name).mkString(", ")
    val sides = (input(roles :+ 'c': _*) +:
      Seq.fill(dice.between(1, 2))(summary(input(roles :+ 'k': _*), roles.length))).zipWithIndex
    def renamed(rel: Rel, i: Int) = {
      val same = shared.zip(rel.cols).map { case (as, c) => s"t.${c.name} AS ${as.name}" }
      s"(SELECT ${(same :+ s"t.${rel.cols.last.name}").mkString(", ")} FROM ${sub(rel)} t) u$i"
    }
    val from = sides.map { case (rel, i) =>
      if (i == 0) renamed(rel, i) else s"FULL OUTER JOIN ${renamed(rel, i)} USING ($list)"
    }.mkString(" ")
    val rest = sides.map { case (rel, i) => s"u$i.${rel.cols.last.name}" -> rel.cols.last.role }
    val all = select(
      shared.map(c => c.name -> c.role) ++ rest, from, sides.map(_._1.rows).sum, sides.map(_._1))
    if (perhaps(0.4)) all else regrouped(all, roles.indices.take(dice.between(1, 2)): _*)
  }

  private def oneKey(spelling: String): Rel = {
    val role = key()
    val (left, right) = (input(role, 'b', 'c'), input(role, 'b', 'k'))
    val places = if (role != 'b' && dice.chance(0.3)) Seq(0, 1) else Seq(0)
    val kind = if (sure) "FULL" else dice.weighted(5 -> "FULL", 2 -> "LEFT", 1 -> "RIGHT")
    val keys = places.map { i =>
      spelled(spelling, column(left.cols(i), "l"), column(right.cols(i), "r")) -> left.cols(i).role
    }
    // What looks like the key of either side and is not.
    val wrong = Seq(spelled(spelling, column(left.cols(1), "l"), column(right.cols(2), "r")),
      spelled(spelling, s"CAST(${column(left.cols(2), "l")} AS BIGINT)",
        s"CAST(${column(right.cols(1), "r")} AS BIGINT)"))
    val by =
      if (perhaps(0.15)) Seq(s"CAST(${dice.one(wrong)} AS BIGINT)" -> 'n')
      else if (perhaps(0.15)) Seq(column(left.cols.head, "l") -> role)
      else keys
    val from = joined(left, right, equal(left, right, places), s"$kind JOIN")
    val rows = meeting(left, right) + left.rows + right.rows
    val measures = Seq("count(*)", s"max(CAST(${column(right.cols(2), "r")} AS BIGINT))")
    if (perhaps(0.3)) {
      val all = select(by ++ columns(left, "l").drop(1) ++ columns(right, "r").drop(2), from, rows,
        Seq(left, right))
      windowed(all, by.indices: _*)
    } else grouped(by, measures, from, rows / 2, Seq(left, right))
  }

  /** The key of the one side or the other in one of its spellings, in either order. */
  private def spelled(spelling: String, left: String, right: String): String = {
    val (l, r) = if (dice.chance(0.7)) (left, right) else (right, left)
    spelling match {
      case "IF" => dice.one(Seq(s"if($l IS NULL, $r, $l)", s"if($l IS NOT NULL, $l, $r)"))
      case "CASE" =>
        dice.one(Seq(s"CASE WHEN $l IS NULL THEN $r ELSE $l END",
          s"CASE WHEN $l IS NOT NULL THEN $l ELSE $r END"))
      case function => s"$function($l, $r)"
    }
  }
}
