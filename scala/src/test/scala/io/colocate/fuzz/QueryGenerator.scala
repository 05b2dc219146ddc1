package io.colocate.fuzz

/**
 * Makes one random query from a seed: joins of every type, aggregates, windows, unions, set operations,
 * subqueries and shared common table expressions over [[FuzzTables]]. Keys are mostly drawn from a few
 * columns that the query favours, so that its shuffles could share layouts. What it returns is
 * determined up to the order of the rows.
 *
 * @param depth     how deep relations nest
 * @param stacks    also chains of joins on one key, windows over windows, and subqueries that share common
 *                  table expressions with the main query
 * @param functions also chains of full outer joins, and functions of columns as keys
 */
final class QueryGenerator(
    seed: Long,
    depth: Int = 3,
    stacks: Boolean = false,
    functions: Boolean = false) {

  private val dice = new Dice(seed)
  private val names = new Names(favoured)
  private val shapes = new RelShapes(dice, names)
  private val joins = new JoinShapes(dice, names)
  private var ctes: Seq[(String, Rel)] = Nil

  def query(): Query = {
    if (stacks || dice.chance(0.4)) for (i <- 1 to dice.between(1, 2)) {
      val rel = relation(dice.between(1, depth - 1))
      ctes :+= (s"cte$i" -> rel)
    }
    val root = relation(depth)
    Query(ctes, if (dice.chance(0.4)) shapes.aggregate(root) else root)
  }

  private def favoured: String =
    dice.one(Seq("ab", "ab", "abc", "ak", "akb", "sb", "ub", "ua", "xa", "xb", "mb", "ah", "sab"))

  private def relation(depth: Int): Rel =
    if (depth == 0) leaf()
    else if (stacks && dice.chance(0.35)) stacked(depth)
    else if (functions && dice.chance(0.35)) computed(depth)
    else
      dice.weighted(
        30 -> (() => joins.join(relation(depth - 1), relation(below(depth)))),
        24 -> (() => shapes.aggregate(relation(depth - 1))),
        6 -> (() => shapes.distinctAggregate(relation(depth - 1))),
        10 -> (() => shapes.window(relation(depth - 1))),
        5 -> (() => shapes.distinct(relation(depth - 1))),
        8 -> (() => shapes.union(Seq.fill(dice.between(2, 3))(relation(below(depth))))),
        6 -> (() => shapes.setOperation(relation(depth - 1), relation(below(depth)))),
        6 -> (() => joins.subquery(relation(depth - 1), relation(below(depth)))),
        3 -> (() => joins.scalar(relation(depth - 1), relation(below(depth)))),
        5 -> (() => shapes.filter(relation(depth - 1))),
        3 -> (() => shapes.project(relation(depth - 1))),
        2 -> (() => shapes.explode(relation(depth - 1))),
        2 -> (() => shapes.groupingSets(relation(depth - 1))),
        3 -> (() => shapes.repartition(relation(depth - 1))),
        1 -> (() => shapes.limit(relation(depth - 1)))).apply()

  private def stacked(depth: Int): Rel = dice.between(1, 3) match {
    case 1 => joins.chain(Seq.fill(dice.between(3, 4))(relation(below(depth))))
    case 2 => shapes.windows(relation(depth - 1))
    case _ if ctes.isEmpty => joins.scalar(relation(depth - 1), relation(below(depth)))
    case _ => joins.scalar(joins.join(relation(depth - 1), shared()), shared())
  }

  private def computed(depth: Int): Rel = dice.between(1, 4) match {
    case 1 => joins.snapshots(Seq.fill(dice.between(2, 3))(relation(below(depth))))
    case 2 => joins.onFunction(relation(depth - 1), relation(below(depth)))
    case 3 => shapes.byFunction(shapes.aggregate(relation(depth - 1)))
    case _ => shapes.byFunction(relation(depth - 1))
  }

  /** The second side of something is mostly shallow, or queries would grow too large. */
  private def below(depth: Int): Int = if (dice.chance(0.6)) 0 else depth - 1

  private def leaf(): Rel =
    if (ctes.nonEmpty && dice.chance(0.5)) shared() else shapes.table()

  private def shared(): Rel = {
    val (name, rel) = dice.one(ctes)
    val cols = rel.cols.map(c => names.fresh(c.role))
    val list = rel.cols.zip(cols).map { case (c, as) => s"${c.name} AS ${as.name}" }
    Rel(s"SELECT ${list.mkString(", ")} FROM $name", cols, rel.rows, Nil)
  }
}

/** New column names, and the columns that a query favours as keys. */
final class Names(val favoured: String) {
  private var last = 0

  def fresh(role: Char): Col = { last += 1; Col(s"v$last", role) }

  /** Columns in random order, favoured ones first, mostly. */
  def ranked(cols: Seq[Col], dice: Dice): Seq[Col] =
    dice.shuffle(cols).sortBy { c =>
      val place = favoured.indexOf(c.role)
      if (place < 0 || dice.chance(0.12)) favoured.length else place
    }
}
