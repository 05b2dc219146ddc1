package io.colocate.programs

import io.colocate.fuzz.Dice

/**
 * Makes a random query over three tables of whole numbers: joins of every type on one or two columns,
 * groupings, windows, DISTINCT, unions, filters that make columns equal, renamed and computed columns, and
 * several uses of one table. No operator in it brings all rows together.
 *
 * @param functions how often there are INTERSECT and EXCEPT, null-safe joins, and groupings by functions
 */
final class RandomPrograms(seed: Long, functions: Int = 0) {

  private val dice = new Dice(seed)
  private var last = 0

  /** A SELECT, and the names of its columns. */
  private case class Rel(sql: String, columns: Seq[String])

  def query(): String = relation(dice.between(1, 3)).sql

  private def relation(depth: Int): Rel =
    if (depth == 0) table()
    else
      dice.weighted(
        34 -> (() => join(relation(depth - 1), relation(dice.below(depth)))),
        24 -> (() => group(relation(depth - 1))), 8 -> (() => distinct(relation(depth - 1))),
        10 -> (() => window(relation(depth - 1))),
        10 -> (() => union(relation(depth - 1), relation(dice.below(depth)))),
        8 -> (() => filter(relation(depth - 1))), 8 -> (() => computed(relation(depth - 1))),
        functions -> (() => setOperation(relation(depth - 1), relation(dice.below(depth)))),
        functions / 2 -> (() => nullSafe(relation(depth - 1), relation(dice.below(depth)))),
        functions / 2 -> (() => groupByFunction(relation(depth - 1)))).apply()

  private def table(): Rel = {
    val (name, columns) = dice.one(RandomPrograms.tables)
    renamed(name, columns)
  }

  private def renamed(from: String, columns: Seq[String]): Rel = {
    val names = columns.map(_ => fresh())
    Rel(
      s"SELECT ${columns.zip(names).map { case (c, n) => s"$c AS $n" }.mkString(", ")} FROM $from",
      names)
  }

  private def join(left: Rel, right: Rel): Rel = {
    val n = dice.between(1, 2.min(left.columns.length).min(right.columns.length))
    val on = dice.some(left.columns, n).zip(dice.some(right.columns, n))
      .map { case (l, r) => s"l.$l = r.$r" }.mkString(" AND ")
    val kind = dice.weighted(8 -> "JOIN", 2 -> "LEFT JOIN", 1 -> "RIGHT JOIN", 1 -> "FULL JOIN",
      1 -> "LEFT SEMI JOIN", 1 -> "LEFT ANTI JOIN")
    val columns = left.columns ++ (if (kind.matches("LEFT (SEMI|ANTI).*")) Nil else right.columns)
    renamed(s"(${left.sql}) l $kind (${right.sql}) r ON $on", columns)
  }

  private def setOperation(one: Rel, other: Rel): Rel = {
    val n = one.columns.length.min(other.columns.length).min(2)
    val names = Seq.fill(n)(fresh())
    val first = dice.some(one.columns, n).zip(names).map { case (c, as) => s"$c AS $as" }
    Rel(
      s"SELECT ${first.mkString(", ")} FROM (${one.sql}) ${dice.one(Seq("INTERSECT", "EXCEPT"))}" +
        s" SELECT ${dice.some(other.columns, n).mkString(", ")} FROM (${other.sql})", names)
  }

  private def nullSafe(left: Rel, right: Rel): Rel = {
    val on = s"l.${dice.one(left.columns)} <=> r.${dice.one(right.columns)}"
    renamed(s"(${left.sql}) l JOIN (${right.sql}) r ON $on", left.columns ++ right.columns)
  }

  private def groupByFunction(rel: Rel): Rel = {
    val (of, name, most) = (dice.one(rel.columns), fresh(), fresh())
    val by = dice.one(Seq(s"$of % 5", s"coalesce($of, 0)", s"$of IS NULL"))
    Rel(
      s"SELECT CAST($by AS INT) AS $name, max(${dice.one(rel.columns)}) AS $most FROM (${rel.sql})" +
        s" GROUP BY $by", Seq(name, most))
  }

  private def group(rel: Rel): Rel = {
    val keys = dice.some(rel.columns, dice.between(1, 2.min(rel.columns.length)))
    val most = fresh()
    Rel(s"SELECT ${keys.mkString(", ")}, max(${dice.one(rel.columns)}) AS $most FROM (${rel.sql})" +
        s" GROUP BY ${keys.mkString(", ")}", keys :+ most)
  }

  private def distinct(rel: Rel): Rel = {
    val columns = dice.some(rel.columns, dice.between(1, 2.min(rel.columns.length)))
    Rel(s"SELECT DISTINCT ${columns.mkString(", ")} FROM (${rel.sql})", columns)
  }

  private def window(rel: Rel): Rel = {
    val keys = dice.some(rel.columns, dice.between(1, 2.min(rel.columns.length)))
    val most = fresh()
    Rel(
      s"SELECT *, max(${dice.one(rel.columns)}) OVER (PARTITION BY ${keys.mkString(", ")}) AS $most" +
        s" FROM (${rel.sql})", rel.columns :+ most)
  }

  private def union(one: Rel, other: Rel): Rel = {
    val n = one.columns.length.min(other.columns.length)
    val names = Seq.fill(n)(fresh())
    val first = dice.some(one.columns, n).zip(names).map { case (c, as) => s"$c AS $as" }
    Rel(s"SELECT ${first.mkString(", ")} FROM (${one.sql}) UNION ALL" +
        s" SELECT ${dice.some(other.columns, n).mkString(", ")} FROM (${other.sql})", names)
  }

  private def filter(rel: Rel): Rel = {
    val condition =
      if (rel.columns.length > 1 && dice.chance(0.6)) {
        val Seq(a, b) = dice.some(rel.columns, 2): @unchecked
        s"$a = $b"
      } else s"${dice.one(rel.columns)} > 3"
    Rel(s"SELECT * FROM (${rel.sql}) WHERE $condition", rel.columns)
  }

  private def computed(rel: Rel): Rel = {
    val (out, name) = (dice.one(rel.columns), fresh())
    Rel(s"SELECT *, $out % 5 AS $name FROM (${rel.sql})", rel.columns :+ name)
  }

  private def fresh(): String = { last += 1; s"v$last" }
}

object RandomPrograms {
  val tables: Seq[(String, Seq[String])] =
    Seq("t1" -> Seq("a", "b", "c"), "t2" -> Seq("a", "b"), "t3" -> Seq("a", "b"))
}
