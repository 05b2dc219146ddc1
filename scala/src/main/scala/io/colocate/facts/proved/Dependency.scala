package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.{FunctionOfKeys, PaddedColumn, Renaming}

/**
 * Rows that agree on some columns, NULL with NULL, hold the same bits in others: a functional dependency.
 * The groups of `SELECT d, max(a) AS a FROM t GROUP BY d` have one a for each d, and still do where a join
 * repeats them.
 *
 * Counter-examples: the same groups as the right side of a left outer join, where rows without a match have
 * NULL in d and in a, and the group of NULL may have another a; a union of two such groupings, each with an
 * a of its own.
 *
 * @param nulls    what is said of rows with NULL in `of`
 * @param declared set if it is declared for a table, and not proved by the plan: then both sets are columns
 *                 of one scan of that table, with their values in one row of it
 */
final case class Dependency(
    of: Set[ExprId],
    determined: Set[ExprId],
    nulls: NullRows = NullRows.Agree,
    declared: Option[Declared] = None) {

  /** True if it may be relied on for all rows. */
  def holds: Boolean = nulls != NullRows.Exempt && declared.forall(_.trusted)
}

/** What a dependency says of rows that hold NULL in one of the determining columns. */
sealed trait NullRows

object NullRows {

  /** They agree like any others, NULL with NULL. */
  case object Agree extends NullRows

  /** There are none, but for rows in which an outer join has filled all columns with NULL. */
  case object Never extends NullRows

  /** Nothing: a UNIQUE column may hold NULL any number of times. */
  case object Exempt extends NullRows
}

object Dependency {

  /**
   * The dependencies of the rows of a projection.
   *
   * @param names what the projection calls the columns
   */
  private[proved] def through(
      known: Seq[Dependency],
      list: Seq[NamedExpression],
      names: Renaming): Seq[Dependency] = {
    // What is declared of a CHAR column is said of it as it is read, which is with blanks.
    lazy val read = new Renaming(PaddedColumn.unpadded(list))
    val kept = for {
      dependency <- known
      here = if (dependency.declared.isEmpty) names else read
      of <- here.each(dependency.of)
      determined = here.all(dependency.determined)
      if determined.nonEmpty
    } yield dependency.copy(of, determined,
      declared = dependency.declared.map(renamed(_, dependency.of, names, read)))
    kept ++ computed(list, names)
  }

  /** A key may have its columns with blanks. What it finds is the column of the table alone. */
  private def renamed(
      declared: Declared,
      key: Set[ExprId],
      names: Renaming,
      read: Renaming): Declared =
    declared.copy(columns = declared.columns.flatMap { case (id, name) =>
      (if (key(id)) read else names).of(id).map(_ -> name)
    })

  /** A column that is computed from others, if these are passed on. */
  private def computed(list: Seq[NamedExpression], names: Renaming): Seq[Dependency] = for {
    alias @ Alias(function, _) <- list
    if FunctionOfKeys(function, function.references.toSeq)
    of <- names.each(function.references.map(_.exprId).toSet)
  } yield Dependency(of, Set(alias.exprId))

  /**
   * Those that rows filled with NULL leave in force.
   *
   * @param notNull columns that hold no NULL in any other row
   */
  private[proved] def filled(known: Seq[Dependency], notNull: Set[ExprId]): Seq[Dependency] =
    known.filter(d => d.nulls != NullRows.Agree || d.of.exists(notNull))

  /**
   * Those of the rows without NULL in some columns: what says nothing of rows with NULL says it of all rows
   * now.
   */
  private[proved] def withoutNull(known: Seq[Dependency], columns: Set[ExprId]): Seq[Dependency] =
    known.map {
      case d if d.nulls == NullRows.Exempt && d.of.subsetOf(columns) =>
        d.copy(nulls = NullRows.Never)
      case d => d
    }
}
