package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

import io.colocate.facts.Equalities

/**
 * The inner joins that hang together in a plan, seen through filters and projections on both sides.
 *
 * @param atoms      what is joined
 * @param conditions that the rows have to meet, over columns of the atoms
 * @param aliases    columns that a projection between the joins gave another name
 * @param hints      how the user wants joins of the region to be done
 */
final private[detect] case class Region(
    atoms: IndexedSeq[LogicalPlan],
    conditions: Seq[Expression],
    aliases: Map[ExprId, Attribute],
    hints: Seq[JoinHint]) {

  /** A column as the atoms have it. */
  def source(column: Attribute): Attribute = aliases.getOrElse(column.exprId, column)

  private def sources(e: Expression): Expression = e.transform { case a: Attribute => source(a) }

  private def where(condition: Option[Expression]): Region =
    copy(conditions = conditions ++ condition.toSeq.flatMap(Equalities.conjuncts).map(sources))

  private def and(other: Region): Region = Region(atoms ++ other.atoms,
    conditions ++ other.conditions, aliases ++ other.aliases, hints ++ other.hints)
}

private[detect] object Region {

  /** The region that a plan is the top of; none if that is no inner join. */
  def of(plan: LogicalPlan): Option[Region] = Option.when(inside(plan))(collect(plan))

  /** The same plan with other atoms, which have the same columns. */
  def mapAtoms(plan: LogicalPlan)(f: LogicalPlan => LogicalPlan): LogicalPlan =
    if (inside(plan)) plan.mapChildren(mapAtoms(_)(f)) else f(plan)

  private def inside(plan: LogicalPlan): Boolean = plan match {
    case Join(_, _, _: InnerLike, condition, _) => condition.forall(simple)
    case Filter(condition, child) => simple(condition) && inside(child)
    case Project(list, child) => list.forall(renames) && inside(child)
    case _ => false
  }

  private def collect(plan: LogicalPlan): Region = plan match {
    case Join(left, right, _, condition, hint) if inside(plan) =>
      val both = collect(left).and(collect(right)).where(condition)
      if (hint.isEmpty) both else both.copy(hints = both.hints :+ hint)
    case Filter(condition, child) if inside(plan) => collect(child).where(Some(condition))
    case Project(list, child) if inside(plan) =>
      val below = collect(child)
      val named = list.collect { case a @ Alias(column: Attribute, _) =>
        a.exprId -> below.source(column)
      }
      below.copy(aliases = below.aliases ++ named)
    case atom => Region(IndexedSeq(atom), Nil, Map.empty, Nil)
  }

  /**
   * What may be evaluated elsewhere in the region, and as often as one likes. A function in Python may
   * not stand in a join's condition.
   */
  private def simple(condition: Expression): Boolean = condition.deterministic &&
    !SubqueryExpression.hasSubquery(condition) && !condition.containsPattern(PYTHON_UDF)

  private def renames(e: NamedExpression): Boolean = e match {
    case _: Attribute => true
    case Alias(_: Attribute, _) => true
    case _ => false
  }
}
