package io.colocate.multiway

import java.util.IdentityHashMap

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, IN_SUBQUERY, JOIN}

import io.colocate.multiway.decide.{Decision, FooterCounts, PairCounts}
import io.colocate.multiway.graph.{CountedRows, CyclicCore, ExistsAsJoin, Joins, JoinShape, MultiwayFindings, MultiwayHint, MultiwayJoin, Region}
import io.colocate.report.{BeforeRewrite, InternalError, MultiwayReasons, Reason}
import io.colocate.rule.{ColocateConf, HintNode, OptionalLogicalRule, Statements}

/**
 * Joins the inputs of inner joins that form a cycle all at once. Other inputs are joined to the result
 * as before.
 *
 * {{{
 *   Project [a.src]                                 Project [a.src]
 *   +- Join (b.dst = c.dst AND a.src = c.src)  =>   +- MultiwayJoin [v0, v1], [v1, v2], [v0, v2]
 *      :- Join (a.dst = b.src)                         :- Relation edges a
 *      :  :- Relation edges a                          :- Relation edges b
 *      :  +- Relation edges b                          +- Relation edges c
 *      +- Relation edges c
 * }}}
 *
 * Valid for inner joins with deterministic operators between them: such joins may be done in any order,
 * and every condition is either implied by the common variables or checked above. Counter-example: a
 * left outer join in the cycle, whose unmatched rows would be lost. It is an input like any other here.
 *
 * EXISTS and NOT EXISTS on equal variables of the cycle are evaluated within the join: a variable is
 * never NULL, and a NULL in the subquery equals nothing. Others are joined above, among them NOT IN,
 * which becomes unknown with a NULL.
 *
 * Runs before cost-based optimisation, as predicates and projections have been pushed down by then.
 */
final case class FindCyclicJoins(session: SparkSession) extends OptionalLogicalRule {

  override def concerns(plan: LogicalPlan): Boolean =
    !plan.isStreaming && Statements.hasQuery(plan)

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (automatic || HintNode.in(plan)) {
      val forced = ColocateConf.MultiwayMode(conf) == "force"
      val found = search(plan, plan.outputSet, forced)(new Seen(new FooterCounts(conf)))
      BeforeRewrite.note(noteLimits(CountedRows(found)), without(plan))(
        _.isInstanceOf[MultiwayJoin])
    } else plan

  /** Removes the hint, which Spark could not plan. */
  override def without(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(HintNode.in) { case MultiwayHint(child) => child }

  override def failed(plan: LogicalPlan, error: Throwable): LogicalPlan =
    kept(without(plan), "joins", InternalError("cyclic-joins", error))

  /** @param wanted columns that the operators above refer to */
  private def search(plan: LogicalPlan, wanted: AttributeSet, forced: Boolean)(implicit
      seen: Seen): LogicalPlan =
    plan match {
      case MultiwayHint(child) => search(child, wanted, forced = true)
      case _ if !plan.containsAnyPattern(JOIN, EXISTS_SUBQUERY, IN_SUBQUERY) => without(plan)
      case _ =>
        asked(plan, forced).flatMap(region(_, wanted, forced)).flatMap(_.toOption)
          .orElse(region(plan, wanted, forced).map(_.merge))
          .getOrElse(plan.mapChildren(search(_, wantedBelow(plan, wanted), forced)))
    }

  /** The plan with EXISTS as joins, if they are in a region with a cycle. */
  private def asked(plan: LogicalPlan, forced: Boolean): Option[LogicalPlan] = {
    val joins = ExistsAsJoin(plan)
    if (joins eq plan) None
    else
      Region.of(joins).filter(r => r.bounded(forced) && new JoinShape(r).graph.core.nonEmpty).map(
        _ => joins)
  }

  /** Left with the plan as it was, Right with multiway joins; None if the plan is not a region. */
  private def region(plan: LogicalPlan, wanted: AttributeSet, forced: Boolean)(implicit
      seen: Seen): Option[Either[LogicalPlan, LogicalPlan]] =
    Region.of(plan).map { _ =>
      def below(input: LogicalPlan) =
        seen.once(input)(search(input, input.outputSet, forced))
      val inner = Region.mapInputs(plan, below)(below)
      decide(inner, Region.of(inner).get, wanted, forced)
    }

  private def wantedBelow(plan: LogicalPlan, wanted: AttributeSet): AttributeSet = plan match {
    case _: Project | _: Aggregate => plan.references
    case _: Filter => wanted ++ plan.references
    case other => other.inputSet
  }

  /** True if cycles are considered without a hint. */
  private def automatic: Boolean = ColocateConf.MultiwayMode(conf) != "hint"

  private def noteLimits(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case LocalLimit(_, child) =>
        joinBelow(child).foreach(_.setTagValue(MultiwayJoin.Limited, true))
      case _ =>
    }
    plan
  }

  /** The join whose first rows are the first rows of the plan. */
  private def joinBelow(plan: LogicalPlan): Option[MultiwayJoin] = plan match {
    case join: MultiwayJoin => Some(join)
    case _: Project | _: Filter => joinBelow(plan.children.head)
    case _ => None
  }

  // --- One region --------------------------------------------------------------------------------

  private def decide(plan: LogicalPlan, region: Region, wanted: AttributeSet, forced: Boolean)(
      implicit seen: Seen): Either[LogicalPlan, LogicalPlan] =
    if (region.size < 3 || region.done || !forced && !automatic) Left(plan)
    else if (!region.bounded(forced)) {
      val reason = Reason(MultiwayReasons.ManyInputs, "inputs" -> region.size.toString,
        "limit" -> Region.most(forced).toString)
      Left(kept(plan, s"${region.size} joins", reason))
    } else {
      val shape = new JoinShape(region)
      val core = shape.graph.core
      if (core.isEmpty && !forced) Left(plan)
      else if (core.isEmpty)
        Left(kept(plan, shape.text(region.inputs.indices.toSet), Reason(MultiwayReasons.Acyclic)))
      else
        decide(plan, shape, shape.graph.components(core).map(new CyclicCore(shape, _)), wanted,
          forced)
    }

  private def decide(
      plan: LogicalPlan,
      shape: JoinShape,
      cycles: Seq[CyclicCore],
      wanted: AttributeSet,
      forced: Boolean)(implicit seen: Seen): Either[LogicalPlan, LogicalPlan] =
    new Decision(shape, cycles, seen.files, new PairCounts(session, conf)).made(forced) match {
      case Left(reason) => Left(kept(plan, shape.text(cycles.flatMap(_.core).toSet), reason))
      case Right(reason) => Right(rewritten(plan, shape, cycles, wanted, forced, reason))
    }

  /** Recorded on the topmost join, as projections and filters may be merged with others. */
  private def kept(plan: LogicalPlan, joins: String, reason: Reason): LogicalPlan = {
    plan.collectFirst { case node @ (_: Join | _: MultiwayJoin) => node }
      .foreach(MultiwayFindings.kept(_, joins, reason))
    plan
  }

  private def rewritten(
      plan: LogicalPlan,
      shape: JoinShape,
      parts: Seq[CyclicCore],
      wanted: AttributeSet,
      forced: Boolean,
      reason: Reason): LogicalPlan = {
    val region = shape.region
    val output = plan.output.filter(wanted.contains)
    val left = region.conditions.filterNot(c => parts.exists(_.covers(c)))
    val above = region.inputs.indices.filterNot(i => parts.exists(_.answers(i)))
      .flatMap(region.check)
    val needed = AttributeSet(output.map(region.source)) ++ AttributeSet.fromAttributeSets(
      (left ++ above.flatMap(_.conditions)).map(_.references))
    val joined = parts.map { part =>
      val join = part.join(needed)
      join.setTagValue(MultiwayJoin.Forced, forced)
      MultiwayFindings.taken(join, shape.text(part.inputs), reason, part.tooLarge)
      join
    }
    val others = region.atoms.indices.filterNot(i => parts.exists(_.core(i))).map(region.atoms)
    Project(output.map(column(region, _)), Joins.leftDeep(joined ++ others, left, above))
  }

  private def column(region: Region, column: Attribute): NamedExpression =
    region.aliases.get(column.exprId).fold[NamedExpression](column) { source =>
      Alias(source, column.name)(exprId = column.exprId, qualifier = column.qualifier,
        explicitMetadata = Some(column.metadata))
    }
}

/** What the search of one plan has found so far. */
final private class Seen(val files: FooterCounts) {

  private val found = new IdentityHashMap[LogicalPlan, LogicalPlan]

  /** A region is tried with EXISTS as joins and without; its inputs are the same both times. */
  def once(input: LogicalPlan)(search: => LogicalPlan): LogicalPlan =
    Option(found.get(input)).getOrElse {
      val result = search
      found.put(input, result)
      result
    }
}
