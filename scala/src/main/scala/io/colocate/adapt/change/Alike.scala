package io.colocate.adapt.change

import io.colocate.adapt.cost.CutPath
import io.colocate.adapt.window.Asked

/**
 * The queries that may come to read some rows when they run with other constants. By columns of little
 * [[Variety]] they ask for the same again, so that cuts by these keep them off.
 *
 * @param path the cuts above the rows by such columns
 */
final private class Alike private (queries: Seq[Asked], path: CutPath, variety: Variety) {

  /** Those on one side of a cut by a column. */
  def on(column: String)(side: CutPath => CutPath): Alike =
    if (variety.isGreat(column)) this
    else {
      val below = side(path)
      new Alike(queries.filter(_.reads(below)), below, variety)
    }

  /** How much it helps them to cut the rows by a column, 0 to 1. */
  def share(column: Int, name: String): Double =
    variety.of(name) * queries.count(_.columns.contains(column)) / queries.length.max(1)
}

private object Alike {

  def apply(queries: Seq[Asked], path: CutPath): Alike =
    new Alike(queries, path, new Variety(queries))
}
