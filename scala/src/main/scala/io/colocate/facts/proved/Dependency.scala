package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions._

import io.colocate.facts.expressions.{FunctionOfKeys, Renaming}

/**
 * Rows that agree on some columns, NULL with NULL, hold the same bits in others: a functional dependency.
 * The groups of `SELECT d, max(a) AS a FROM t GROUP BY d` have one a for each d, and still do where a join
 * repeats them.
 *
 * Counter-examples: the same groups as the right side of a left outer join, where rows without a match have
 * NULL in d and in a, and the group of NULL may have another a; a union of two such groupings, each with an
 * a of its own.
 */
final case class Dependency(of: Set[ExprId], determined: Set[ExprId])

private[proved] object Dependency {

  /** The dependencies of the rows of a projection. */
  def through(known: Seq[Dependency], list: Seq[NamedExpression]): Seq[Dependency] = {
    val names = new Renaming(list)
    val kept = for {
      dependency <- known
      of <- names.each(dependency.of)
      determined = names.all(dependency.determined)
      if determined.nonEmpty
    } yield Dependency(of, determined)
    kept ++ computed(list, names)
  }

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
  def filled(known: Seq[Dependency], notNull: Set[ExprId]): Seq[Dependency] =
    known.filter(_.of.exists(notNull))
}

/**
 * The proof that rows which agree on some columns of one operator agree on others. Only [[ProvedFacts]]
 * creates one.
 */
final class ProvedDependency private[proved] (
    val of: Seq[Attribute],
    private val determined: Set[ExprId])
    extends Serializable {

  def determines(keys: Seq[Expression]): Boolean = keys.forall {
    case column: Attribute => determined(column.exprId)
    case _ => false
  }

  override def equals(other: Any): Boolean = other match {
    case that: ProvedDependency => of == that.of && determined == that.determined
    case _ => false
  }

  override def hashCode: Int = (of, determined).hashCode
}
