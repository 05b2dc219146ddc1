package io.colocate.multiway.graph

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.{InnerLike, LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

import io.colocate.facts.expressions.{Equalities, MayFail}

/**
 * An input that is only checked for a row: the right side of a left semi or left anti join.
 *
 * @param anti       whether it must have none
 * @param conditions the conditions on such a row, over its columns and those of atoms
 */
final private[multiway] case class Check(
    input: LogicalPlan,
    anti: Boolean,
    conditions: Seq[Expression])

/**
 * The connected inner joins of a plan, seen through filters and projections on both sides, with the left
 * semi and anti joins between and above them.
 *
 * @param atoms      the inputs that are joined
 * @param conditions the conditions on the rows, over columns of the atoms
 * @param aliases    columns that a projection between the joins renamed
 * @param hints      the user's hints on joins of the region
 * @param mayFail    the conditions of the region and of its checks that may fail
 */
final private[multiway] case class Region(
    atoms: IndexedSeq[LogicalPlan],
    conditions: Seq[Expression],
    aliases: Map[ExprId, Attribute],
    hints: Seq[JoinHint],
    checks: IndexedSeq[Check] = IndexedSeq.empty,
    mayFail: Seq[MayFail] = Nil) {

  /** The atoms, then the inputs of checks; identified by their numbers here. */
  def inputs: IndexedSeq[LogicalPlan] = atoms ++ checks.map(_.input)

  /** How many inputs can be part of a cycle. */
  def size: Int = atoms.length + checks.count(!_.anti)

  /** True if planning takes little time: deciding whether it pays takes longer than following a request. */
  def bounded(forced: Boolean): Boolean = size <= Region.most(forced)

  /** True if the region has a multiway join already, whose equal columns would look like two variables. */
  def done: Boolean = atoms.exists(Region.joined)

  /** The check that an input belongs to. */
  def check(input: Int): Option[Check] = checks.lift(input - atoms.length)

  /** A column as the atoms have it. */
  def source(column: Attribute): Attribute = aliases.getOrElse(column.exprId, column)

  private def sources(e: Expression): Expression = e.transform { case a: Attribute => source(a) }

  private def where(condition: Option[Expression]): Region = {
    val more = condition.toSeq.flatMap(Equalities.conjuncts).map(sources)
    copy(conditions = conditions ++ more,
      mayFail = mayFail ++ MayFail.of(more, atoms.indices, checks.indices))
  }

  private def and(other: Region): Region =
    Region(atoms ++ other.atoms, conditions ++ other.conditions, aliases ++ other.aliases,
      hints ++ other.hints, checks ++ other.checks,
      mayFail ++ other.mayFail.map(_.after(atoms.length, checks.length)))

  private def checked(input: LogicalPlan, anti: Boolean, condition: Expression): Region = {
    val asked = Equalities.conjuncts(condition).map(sources)
    copy(checks = checks :+ Check(input, anti, asked),
      mayFail = mayFail ++ MayFail.of(asked, atoms.indices, 0 to checks.length))
  }

  private def hinted(hint: JoinHint): Region =
    if (hint.isEmpty) this else copy(hints = hints :+ hint)
}

private[multiway] object Region {

  /** The most inputs that are considered. Each further one doubles the join orders to compare, if any. */
  def most(forced: Boolean): Int = if (forced) 64 else 16

  /** The region at the top of a plan; None if there is no inner join. */
  def of(plan: LogicalPlan): Option[Region] = Option.when(inside(plan))(collect(plan))

  /** The same plan with other atoms and other inputs of checks, which have the same columns. */
  def mapInputs(plan: LogicalPlan, atom: LogicalPlan => LogicalPlan)(
      check: LogicalPlan => LogicalPlan): LogicalPlan = plan match {
    case Checked(left, right, join) =>
      join.withNewChildren(Seq(mapInputs(left, atom)(check), check(right)))
    case _ if inside(plan) => plan.mapChildren(mapInputs(_, atom)(check))
    case _ => atom(plan)
  }

  def inside(plan: LogicalPlan): Boolean = plan match {
    case Checked(_, _, _) => true
    case _: Filter | _: Project => passes(plan) && inside(plan.children.head)
    case _ => passes(plan)
  }

  /** True for a node that is part of a region if it is above one, or is a join. */
  def passes(node: LogicalPlan): Boolean = node match {
    case Join(_, _, _: InnerLike, condition, _) => condition.forall(simple)
    case Filter(condition, _) => simple(condition)
    case Project(list, _) => list.forall(renames)
    case _ => false
  }

  /** Only a multiway join's own conditions can be above it; those of a query would be part of the region. */
  private def joined(plan: LogicalPlan): Boolean = plan match {
    case _: MultiwayJoin => true
    case _: Filter | _: Project => passes(plan) && joined(plan.children.head)
    case _ => false
  }

  private def collect(plan: LogicalPlan): Region = plan match {
    case Checked(left, right, Join(_, _, joinType, Some(condition), hint)) =>
      collect(left).checked(right, joinType == LeftAnti, condition).hinted(hint)
    case Join(left, right, _, condition, hint) if inside(plan) =>
      collect(left).and(collect(right)).where(condition).hinted(hint)
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
   * A left semi or anti join above inner joins. One above a single input is part of this input, and may
   * leave few of its rows.
   */
  private object Checked {
    def unapply(plan: LogicalPlan): Option[(LogicalPlan, LogicalPlan, Join)] = plan match {
      case join @ Join(left, right, LeftSemi | LeftAnti, Some(condition), _)
          if inside(left) && simple(condition) =>
        Some((left, right, join))
      case _ => None
    }
  }

  /**
   * True for an expression that may be evaluated elsewhere in the region, any number of times. A Python
   * function is not allowed in a join's condition.
   */
  def simple(condition: Expression): Boolean = condition.deterministic &&
    !SubqueryExpression.hasSubquery(condition) && !condition.containsPattern(PYTHON_UDF)

  private def renames(e: NamedExpression): Boolean = e match {
    case _: Attribute => true
    case Alias(_: Attribute, _) => true
    case _ => false
  }
}
