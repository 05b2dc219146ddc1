package io.colocate.fuzz.shapes

import io.colocate.fuzz.{KeyTables, Rel}

/** Rows that lie by a column which others determine: by a declaration, or by an aggregate below. */
final class DeclaredShapes(kit: Kit) extends Maker {
  import kit._

  override def makes: Seq[(Shape, () => Rel)] =
    Seq(
      Shape.DeclaredKey -> (() => byKey(KeyTables.withKey)),
      Shape.DeclaredUnique -> (() => byKey(KeyTables.withUnique)),
      Shape.DeclaredDependency -> (() => byKey(KeyTables.withDependency)),
      Shape.Carried -> (() => carried()), Shape.Windows -> (() => windows()))

  /** The columns a, b, c, k of a declared table. */
  private def declared(name: String, where: String): Rel =
    select(KeyTables.declaredColumns.map(c => s"t.${c.name}" -> c.role), s"$name t$where",
      KeyTables.declaredRows, Nil)

  /** Joined on what the declared key determines, then by the key. */
  private def byKey(name: String): Rel = {
    // Without the condition, many rows have no a, and each a b of its own.
    val where = if (name == KeyTables.withUnique && !perhaps(0.3)) " WHERE t.a IS NOT NULL" else ""
    val place = if (name == KeyTables.withDependency && !perhaps(0.2)) 1 else dice.between(1, 2)
    val known = declared(name, where)
    val role = known.cols(place).role
    val rows = input(role, 'k', 's')
    val kind = variant(() => "JOIN", () => "JOIN", () => "RIGHT JOIN", () => "FULL OUTER JOIN")
    val both = select(columns(known, "l") ++ columns(rows, "r").drop(1),
      joined(known, rows, s"${column(known.cols(place), "l")} = ${column(rows.cols.head, "r")}",
        kind), meeting(rows, known), Seq(known, rows))
    variant(() => regrouped(both, 0), () => windowed(both, 0), () => regrouped(both, 0, 3))
  }

  /** Two groupings by the key of one table that both have joined on a column beside it. */
  private def carried(): Rel = {
    val name = if (perhaps(0.3)) KeyTables.withUnique else KeyTables.withKey
    val place = dice.between(1, 2)
    def side(): Rel = {
      val known = declared(name, if (name == KeyTables.withUnique) " WHERE t.a IS NOT NULL" else "")
      val rows = input(known.cols(place).role, 'k')
      val on = s"${column(known.cols(place), "l")} = ${column(rows.cols.head, "r")}"
      val kind = if (perhaps(0.2)) "LEFT JOIN" else "JOIN"
      grouped(Seq(column(known.cols.head, "l") -> 'a'), Seq("count(*)", sum(rows, "r")),
        joined(known, rows, on, kind), known.rows, Seq(known, rows))
    }
    val (l, r) = (side(), side())
    val kind = variant(() => "JOIN", () => "LEFT JOIN", () => "FULL OUTER JOIN")
    select(columns(l, "l") ++ columns(r, "r").drop(1), joined(l, r, equal(l, r, Seq(0)), kind),
      l.rows, Seq(l, r))
  }

  /** Joined on a column of which each group has one, then windows by the group's key. */
  private def windows(): Rel = {
    val groups = oneOfEach(input(dice.one("ckds".toSeq), 'b', 'a'))
    val facts = input('b', 'k')
    val on = s"${column(groups.cols(1), "l")} = ${column(facts.cols.head, "r")}"
    val kind = variant(() => "JOIN", () => "LEFT JOIN", () => "FULL OUTER JOIN")
    val both =
      select(columns(groups, "l") ++ columns(facts, "r").drop(1), joined(groups, facts, on, kind),
        meeting(facts, groups), Seq(groups, facts))
    (1 to dice.between(2, 3)).foldLeft(both)((below, _) => windowed(below, 0))
  }

  /** One b for each value of the first column. */
  private def oneOfEach(rows: Rel): Rel = {
    val key = columns(rows, "t").head
    val b = column(rows.cols(1), "t")
    if (dice.chance(0.6))
      select(Seq(key, s"max($b)" -> 'b'), s"${sub(rows)} t GROUP BY ${key._1}", rows.rows / 2,
        Seq(rows))
    else {
      val first = s"row_number() OVER (PARTITION BY ${key._1} ORDER BY $b)"
      val ranked = select(Seq(key, b -> 'b', first -> 'n'), s"${sub(rows)} t", rows.rows, Seq(rows))
      val Seq(k, one, n) = ranked.cols.map(column(_, "t"))
      select(Seq(k -> key._2, one -> 'b'), s"${sub(ranked)} t WHERE $n = 1", rows.rows / 2,
        Seq(ranked))
    }
  }
}
