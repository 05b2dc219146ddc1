package io.colocate.programs.lineage

/**
 * One way for rows to lie by the value of an expression: where each of these inputs lies by its field, so do
 * they. A union of two tables needs a field of both.
 */
final case class Placed(fields: Map[Input, Field]) {

  /** Both at once; None if they ask one input to lie by two fields. */
  def and(other: Placed): Option[Placed] = Option.when(fields.forall { case (input, field) =>
    other.fields.get(input).forall(_ == field)
  })(Placed(fields ++ other.fields))

  /** How many of the fields are no columns. */
  def computed: Int = fields.values.count(_.form != Field.Column)

  /** Without what a loop hands to its next turn, which is no input of the user's. */
  def ofUser: Placed = Placed(fields.filterNot(_._1.made))
}

object Placed {

  /** At most this many ways are followed; a key with more has many columns that are equal to it. */
  final val MostWays = 128

  def by(input: Input, field: Field): Placed = Placed(Map(input -> field))

  /** All ways to lie in one of the ways of each. */
  def all(each: Seq[Seq[Placed]]): Seq[Placed] =
    each.reduceOption { (some, more) =>
      some.flatMap(one => more.flatMap(one.and)).distinct.take(MostWays)
    }.getOrElse(Nil)
}
