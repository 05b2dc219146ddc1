package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, EqualTo, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

import io.colocate.{ColocateConf, GuardedRule, HintNode}
import io.colocate.multiway.core.Comparison
import io.colocate.reason.{Reason, ReasonCode}

/**
 * Takes the inputs of inner joins that form a cycle and joins them at once; what hangs on the cycle is
 * joined to its result as before.
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
 * Valid for inner joins and what is deterministic between them: such joins may be done in any order, and
 * every condition is either implied by the common variables or checked above. Counter-example: a left
 * outer join in the cycle; its rows without a match would be lost. It is an input like any other here.
 *
 * A rule before cost-based optimisation, as predicates and projections have been pushed down by then.
 */
final case class FindCyclicJoins() extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (plan.isStreaming) unhinted(plan)
    else
      GuardedRule("multiway", conf, ColocateConf.multiwayOn)(unhinted(plan)) {
        if (automatic || HintNode.in(plan)) {
          val forced = ColocateConf.MultiwayMode(conf) == "force"
          noteLimits(CountedRows(search(plan, plan.outputSet, forced)))
        } else plan
      } { error =>
        val kept = unhinted(plan)
        report(kept, "joins", Left(Reason(ReasonCode.MultiwayError, "error" -> error.toString)))
        kept
      }

  private def unhinted(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(HintNode.in) {
    case MultiwayHint(child) => child
  }

  /** @param wanted columns that the operators above refer to */
  private def search(plan: LogicalPlan, wanted: AttributeSet, forced: Boolean): LogicalPlan =
    plan match {
      case MultiwayHint(child) => search(child, wanted, forced = true)
      case _ =>
        Region.of(plan) match {
          case Some(_) =>
            val inner = Region.mapAtoms(plan)(atom => search(atom, atom.outputSet, forced))
            decide(inner, Region.of(inner).get, wanted, forced)
          case None => plan.mapChildren(search(_, wantedBelow(plan, wanted), forced))
        }
    }

  private def wantedBelow(plan: LogicalPlan, wanted: AttributeSet): AttributeSet = plan match {
    case _: Project | _: Aggregate => plan.references
    case _: Filter => wanted ++ plan.references
    case other => other.inputSet
  }

  /** True where cycles are looked at that nobody has hinted at. */
  private def automatic: Boolean = ColocateConf.MultiwayMode(conf) != "hint"

  private def noteLimits(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case LocalLimit(_, child) =>
        joinBelow(child).foreach(_.setTagValue(MultiwayJoin.Limited, true))
      case _ =>
    }
    plan
  }

  /** The join whose first rows are those of the plan. */
  private def joinBelow(plan: LogicalPlan): Option[MultiwayJoin] = plan match {
    case join: MultiwayJoin => Some(join)
    case _: Project | _: Filter => joinBelow(plan.children.head)
    case _ => None
  }

  // --- One region --------------------------------------------------------------------------------

  private def decide(
      plan: LogicalPlan,
      region: Region,
      wanted: AttributeSet,
      forced: Boolean): LogicalPlan =
    if (region.atoms.length < 3 || !forced && !automatic) plan
    else if (region.atoms.length > Decision.MostAtoms) {
      val reason = Reason(ReasonCode.ManyInputs, "inputs" -> region.atoms.length.toString,
        "limit" -> Decision.MostAtoms.toString)
      kept(plan, s"${region.atoms.length} joins", reason)
    } else {
      val shape = new JoinShape(region)
      val core = shape.graph.core
      if (core.isEmpty) {
        if (forced) kept(plan, shape.text(region.atoms.indices.toSet), Reason(ReasonCode.Acyclic))
        else plan
      } else
        Decision(shape, core, forced) match {
          case Left(reason) => kept(plan, shape.text(core), reason)
          case Right(reason) => rewritten(plan, shape, core, wanted, forced, reason)
        }
    }

  private def kept(plan: LogicalPlan, joins: String, reason: Reason): LogicalPlan = {
    report(plan, joins, Left(reason))
    plan
  }

  /** On the topmost join, as projections and filters may be merged with others. */
  private def report(plan: LogicalPlan, joins: String, outcome: Either[Reason, Reason]): Unit =
    plan.collectFirst { case node @ (_: Join | _: MultiwayJoin) => node }.foreach {
      MultiwayReport.put(_, MultiwayReport(joins, outcome.isRight, outcome.merge))
    }

  private def rewritten(
      plan: LogicalPlan,
      shape: JoinShape,
      core: Set[Int],
      wanted: AttributeSet,
      forced: Boolean,
      reason: Reason): LogicalPlan = {
    val region = shape.region
    val output = plan.output.filter(wanted.contains)
    val parts = shape.graph.components(core).map(new CyclicCore(shape, _))
    val left = region.conditions.filterNot(c => parts.exists(_.covers(c)))
    val needed = AttributeSet(output.map(region.source)) ++ AttributeSet.fromAttributeSets(
      left.map(_.references))
    val joined = parts.map { part =>
      val join = part.join(needed)
      join.setTagValue(MultiwayJoin.Forced, forced)
      MultiwayReport.put(join, MultiwayReport(shape.text(part.atoms), chosen = true, reason))
      join
    }
    val others = region.atoms.indices.filterNot(core).map(region.atoms)
    Project(output.map(column(region, _)), Joins.leftDeep(joined ++ others, left))
  }

  private def column(region: Region, column: Attribute): NamedExpression =
    region.aliases.get(column.exprId).fold[NamedExpression](column) { source =>
      Alias(source, column.name)(exprId = column.exprId, qualifier = column.qualifier,
        explicitMetadata = Some(column.metadata))
    }
}

/** Atoms of a region that form cycles and hang together. */
final private class CyclicCore(shape: JoinShape, val atoms: Set[Int]) {

  private val inputs = atoms.toSeq.sorted

  /** Variables of two of these atoms or more. */
  private val variables =
    inputs.flatMap(shape.graph.edges).groupBy(identity).collect {
      case (v, in) if in.length > 1 => v
    }
      .toSeq.sorted

  private def comparison(condition: Expression): Option[Comparison] =
    shape.comparison(condition, atoms)
      .filter(c => variables.contains(c.less) && variables.contains(c.greater))

  /** True of a condition that the join of these atoms checks. */
  def covers(condition: Expression): Boolean =
    shape.implied(condition, atoms) || comparison(condition).nonEmpty

  def join(needed: AttributeSet): MultiwayJoin = {
    val keyed = inputs.map(i => new KeyedInput(shape, i, variables.filter(shape.graph.edges(i))))
    val output = keyed.flatMap(_.plan.output).filter(needed.contains)
    val numbers = variables.zipWithIndex.toMap
    val compared = shape.region.conditions.flatMap(comparison).distinct
      .map { case Comparison(less, greater, strict) =>
        Comparison(numbers(less), numbers(greater), strict)
      }
    MultiwayJoin(keyed.map(_.plan), keyed.map(_.keys), keyed.map(_.variables.map(numbers)),
      compared, output, None)
  }
}

/** An atom with a column for each of its variables: casts are computed, and columns that are equal are. */
final private class KeyedInput(shape: JoinShape, atom: Int, val variables: Seq[Int]) {

  private val expressions = variables.map(shape.keys(atom, _))
  private val named: Seq[NamedExpression] = expressions.map(_.head).map {
    case a: Attribute => a
    case e => Alias(e, "key")()
  }

  val keys: Seq[Attribute] = named.map(_.toAttribute)

  val plan: LogicalPlan = {
    val equal = expressions.flatMap(same => same.tail.map(EqualTo(same.head, _)))
    val filtered = Joins.filtered(shape.region.atoms(atom), equal)
    val computed = named.filterNot(_.isInstanceOf[Attribute])
    if (computed.isEmpty) filtered else Project(filtered.output ++ computed, filtered)
  }
}
