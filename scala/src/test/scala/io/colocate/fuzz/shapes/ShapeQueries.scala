package io.colocate.fuzz.shapes

import io.colocate.fuzz.{Dice, JoinShapes, Names, Query, Rel}

/**
 * Makes one random query around an example of a shape: as it is, below another operator, beside an example
 * of a second shape, or as a common table expression that is read twice.
 *
 * @param sure the shape alone, made so that it can be rewritten
 */
final class ShapeQueries(seed: Long, shape: Shape, sure: Boolean) {

  private val dice = new Dice(seed)
  private val names = new Names(dice.one(Seq("ab", "ba", "akb", "sb", "da", "ub", "xa", "mb")))
  private val kit = new Kit(dice, names, sure, nested)
  private val joins = new JoinShapes(dice, names)
  private val makers: Map[Shape, () => Rel] =
    Seq(new OuterShapes(kit), new DateShapes(kit), new KeyShapes(kit), new GroupingShapes(kit),
      new DeclaredShapes(kit)).flatMap(_.makes).toMap

  /** Shapes within shapes; queries would grow without end. */
  private var depth = 0

  def query(): Query =
    if (sure) Query(Nil, example(shape))
    else if (dice.chance(0.2)) readTwice()
    else Query(Nil, around(example(shape)))

  private def example(of: Shape): Rel = {
    depth += 1
    try makers(of)().copy(shape = Some(of))
    finally depth -= 1
  }

  private def around(rel: Rel): Rel = dice.weighted(
    8 -> (() => rel), 3 -> (() => kit.rels.aggregate(rel)), 3 -> (() => joins.join(rel, other())),
    1 -> (() => joins.snapshots(Seq(rel, other()))), 2 -> (() => kit.rels.window(rel)),
    1 -> (() => kit.rels.union(Seq(rel, other()))),
    1 -> (() => kit.rels.setOperation(rel, other())), 1 -> (() => joins.subquery(rel, other())),
    1 -> (() => kit.rels.distinctAggregate(rel)), 1 -> (() => kit.rels.groupingSets(rel)),
    1 -> (() => kit.rels.repartition(rel))).apply()

  private def other(): Rel =
    if (dice.chance(0.5)) example(dice.one(Shape.all)) else kit.input('a', 'b', 'k', 's')

  private def readTwice(): Query = {
    val rel = example(shape)
    def read(): Rel = {
      val cols = rel.cols.map(c => names.fresh(c.role))
      val list = rel.cols.zip(cols).map { case (c, as) => s"${c.name} AS ${as.name}" }
      Rel(s"SELECT ${list.mkString(", ")} FROM cte1", cols, rel.rows, Nil)
    }
    val root =
      if (dice.chance(0.5)) joins.join(read(), kit.rels.aggregate(read()))
      else joins.join(kit.rels.aggregate(read()), around(read()))
    Query(Seq("cte1" -> rel), root)
  }

  /** The columns of an example of another shape, if it has some of these roles. */
  private def nested(roles: Seq[Char]): Option[Rel] =
    if (depth > 1) None
    else {
      val rel = example(dice.one(Shape.all))
      val found = roles.flatMap(r => rel.cols.find(_.role == r))
      Option.when(found.length == roles.length) {
        kit.select(
          found.map(c => s"t.${c.name}" -> c.role), s"${kit.sub(rel)} t", rel.rows, Seq(rel))
      }
    }
}
