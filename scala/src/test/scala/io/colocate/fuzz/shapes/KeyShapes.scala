package io.colocate.fuzz.shapes

import io.colocate.fuzz.Rel

/** Keys of harder types: structures, collated texts, floating-point numbers, decimals. */
final class KeyShapes(kit: Kit) extends Maker {
  import kit._

  override def makes: Seq[(Shape, () => Rel)] = Seq(
    Shape.StructOfKeys -> (() => structure()), Shape.FieldOfKey -> (() => field()),
    Shape.LowerCase -> (() => collated('u')), Shape.Unicode -> (() => collated('v')),
    Shape.Doubles -> (() => floating('x')), Shape.Floats -> (() => floating('y')),
    Shape.Decimals -> (() => decimals()))

  /** By a and b, then by a structure of both. */
  private def structure(): Rel = {
    val fine = regrouped(input('a', 'b', 'k'), 0, 1, 2)
    val Seq(a, b) = fine.cols.take(2).map(column(_, "t"))
    val made = select(Seq(s"named_struct('i', $a, 'j', $b)" -> 'p') ++ columns(fine, "t").drop(2),
      s"${sub(fine)} t", fine.rows, Seq(fine))
    variant(
      () => regrouped(made, 0), () => windowed(made, 0), () => meet(made, input('p', 'c'), Seq(0)))
  }

  /** By a structure, then by one of its fields. */
  private def field(): Rel = {
    val fine = if (dice.chance(0.5)) regrouped(input('p', 'k'), 0) else ofStruct()
    val key = s"${column(fine.cols.head, "t")}.${dice.one(Seq("i", "j"))}"
    val made = select((key -> 'a') +: columns(fine, "t"), s"${sub(fine)} t", fine.rows, Seq(fine))
    variant(() => regrouped(made, 0), () => windowed(made, 0), () => regrouped(made, 0, 1),
      () => meet(made, input('a', 'c'), Seq(0)))
  }

  private def ofStruct(): Rel = {
    val rows = input('a', 'b', 'k')
    val Seq(a, b) = rows.cols.take(2).map(column(_, "t"))
    grouped(Seq(s"named_struct('i', $a, 'j', $b)" -> 'p'), Seq("count(*)", sum(rows, "t")),
      s"${sub(rows)} t", rows.rows, Seq(rows))
  }

  /** Texts that are equal and differ; which of them a group has is chance. */
  private def collated(role: Char): Rel = {
    val rows = input(role, 'b', 'k')
    val fine = regrouped(rows, 0, 1)
    variant(
      () => regrouped(fine, 0), () => windowed(fine, 0),
      () => meet(regrouped(rows, 0), input(role, 'c'), Seq(0)),
      () => regrouped(meet(rows, input(role, 'b'), Seq(0, 1)), 0),
      () => regrouped(meet(rows, regrouped(input(role, 'c'), 0), Seq(0), "FULL OUTER JOIN"), 0),
      () => regrouped(meet(rows, input(role, 'b'), Seq(0)), 1, 0))
  }

  /** -0.0 and 0.0 are one key, and all NaN are one. */
  private def floating(role: Char): Rel = {
    val rows = input(role, 'b', 'k')
    val once = regrouped(rows, 0)
    def text(rel: Rel) = {
      val as = s"CAST(${column(rel.cols.head, "t")} AS STRING)" -> 's'
      select(as +: columns(rel, "t"), s"${sub(rel)} t", rel.rows, Seq(rel))
    }
    variant(
      () => meet(once, input(role, 'c'), Seq(0)),
      () => meet(once, regrouped(input(role, 'c'), 0), Seq(0), "FULL OUTER JOIN"),
      () => meet(once, input(role, 'c'), Seq(0), "LEFT JOIN", "<=>"), () => windowed(once, 0),
      () => windowed(meet(once, input(role, 'c'), Seq(0)), 0),
      // The text tells both zeros apart.
      () => regrouped(text(meet(rows, regrouped(input(role, 'c'), 0), Seq(0))), 0),
      () => meet(regrouped(rows, 0, 1), input(role, 'b'), Seq(0, 1)))
  }

  /** Compared as the wider of both, grouped as they are. */
  private def decimals(): Rel = {
    val (narrow, wide) = (input('m', 'b'), input('w', 'c'))
    val both = meet(narrow, wide, Seq(0))
    variant(
      () => regrouped(both, 0), () => windowed(both, 0),
      () => meet(regrouped(narrow, 0), wide, Seq(0), "LEFT JOIN"),
      () => regrouped(meet(narrow, wide, Seq(0), "FULL OUTER JOIN"), 0),
      () => meet(regrouped(wide, 0), regrouped(narrow, 0), Seq(0)))
  }

  /** Two relations joined on the columns at these places, with the columns of the left side first. */
  private def meet(
      l: Rel,
      r: Rel,
      places: Seq[Int],
      kind: String = "JOIN",
      word: String = "="): Rel =
    select(columns(l, "l") ++ columns(r, "r").drop(1),
      joined(l, r, equal(l, r, places, word), kind), meeting(l, r) + l.rows, Seq(l, r))
}
