package io.colocate.facts.estimated

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins._
import org.apache.spark.sql.execution.window.WindowExecBase

import io.colocate.facts.expressions.Equalities

/**
 * The facts of every operator of a physical plan, bottom-up and computed once for each.
 *
 * Estimates err to the large side where nothing is known: a filter of unknown selectivity keeps all
 * rows. One assumption is made, and marked as [[RowFacts.assumed]]: a join on keys of unknown
 * distinct counts gives as many rows as its larger input (key to foreign key).
 */
final class Facts {

  private val memo = new IdentityHashMap[SparkPlan, RowFacts]

  def apply(plan: SparkPlan): RowFacts = {
    val known = memo.get(plan)
    if (known != null) known
    else {
      val facts = compute(plan)
      memo.put(plan, facts)
      facts
    }
  }

  private def compute(plan: SparkPlan): RowFacts = plan match {
    case stage: QueryStageExec => ofStage(stage)
    case reused: ReusedExchangeExec =>
      rename(apply(reused.child), reused.child.output, reused.output)
    case exchange: Exchange => apply(exchange.child)
    case leaf if leaf.children.isEmpty => LeafFacts(leaf)
    case project: ProjectExec => throughProject(project.projectList, apply(project.child))
    case filter: FilterExec => throughFilter(filter)
    case aggregate: BaseAggregateExec => throughAggregate(aggregate)
    case join: BaseJoinExec => JoinFacts(join, apply(join.left), apply(join.right))
    case union: UnionExec => throughUnion(union)
    case expand: ExpandExec => throughExpand(expand)
    case generate: GenerateExec =>
      val child = apply(generate.child)
      child.copy(assumed = true, columns = child.widths, unique = Nil)
    case _: WindowExecBase => apply(plan.children.head)
    case limit: LimitExec => limited(apply(limit.child), limit.limit.toDouble)
    case limit: TakeOrderedAndProjectExec =>
      limited(throughProject(limit.projectList, apply(limit.child)), limit.limit.toDouble)
    case sample: SampleExec if sample.withReplacement =>
      val child = apply(sample.child)
      child.copy(rows = child.rows.map(_ * (sample.upperBound - sample.lowerBound)),
        columns = child.widths, unique = Nil)
    case unary: UnaryExecNode if unary.output == unary.child.output => apply(unary.child)
    case _: UnaryExecNode =>
      RowFacts.Unknown.copy(rows = apply(plan.children.head).rows, assumed = true)
    case _ => RowFacts.Unknown
  }

  private def ofStage(stage: QueryStageExec): RowFacts = {
    val below = apply(stage.plan)
    stage.computeStats().flatMap(_.rowCount).fold(below) { rows =>
      below.copy(rows = Some(rows.toDouble), assumed = false)
    }
  }

  private def throughProject(list: Seq[NamedExpression], child: RowFacts): RowFacts = {
    val sources = list.collect {
      case a: Attribute => a.exprId -> a.exprId
      case alias @ Alias(a: Attribute, _) => alias.exprId -> a.exprId
    }
    val literals = list.collect { case a @ Alias(Literal(v, _), _) if v != null => a.exprId }
    val renamed = sources.groupMap(_._2)(_._1)
    def images(ids: Set[ExprId]): Set[ExprId] = ids.flatMap(renamed.getOrElse(_, Nil))
    val copies = renamed.values.collect { case ids if ids.length > 1 => ids.toSet }
    child.copy(
      columns = sources.flatMap { case (to, from) => child.columns.get(from).map(to -> _) }.toMap,
      constants = images(child.constants) ++ literals,
      equal = child.equal.map(images).filter(_.size > 1) ++
        copies.filterNot(c => child.equal.exists(e => c.subsetOf(images(e)))),
      unique = child.unique.filter(_.forall(renamed.contains))
        .map(_.map(renamed(_).head)))
  }

  private def throughFilter(filter: FilterExec): RowFacts = {
    val child = apply(filter.child)
    val cost = filter.logicalLink.filter(_.conf.cboEnabled).flatMap(_.stats.rowCount)
      .map(_.toDouble)
    val rows = child.rows.map { r =>
      val own = (r * Selectivity(filter.condition, child)).max(1.0)
      cost.fold(own)(_.min(own))
    }
    val constants = child.constants ++ Equalities.constants(filter.condition)
    child.copy(rows = rows, columns = child.columns.map { case (id, c) => id -> capped(c, rows) },
      constants = constants,
      equal = Equalities.merge(child.equal, Equalities.pairs(filter.condition)))
  }

  private def throughAggregate(aggregate: BaseAggregateExec): RowFacts = {
    val grouping = aggregate.groupingExpressions
    val child = throughProject(grouping ++ aggregate.child.output, apply(aggregate.child))
    val groups = if (grouping.isEmpty) Some(1.0) else child.distinct(grouping.map(_.toAttribute))
    // A partial aggregate may meet each group in every task, so only a merged one is bounded.
    val merged = aggregate.requiredChildDistributionExpressions.isDefined
    val rows = if (merged) (child.rows ++ groups).minOption else child.rows
    val keys = grouping.map(_.exprId).toSet
    val grouped = child.copy(rows = rows, assumed = child.assumed && groups.isEmpty,
      unique =
        if (merged && grouping.nonEmpty) Seq(keys) else Nil)
    if (merged) throughProject(aggregate.resultExpressions, grouped) else grouped
  }

  private def throughUnion(union: UnionExec): RowFacts = {
    val branches = union.children.map(apply)
    val rows = if (branches.forall(_.rows.isDefined)) Some(branches.flatMap(_.rows).sum) else None
    RowFacts.Unknown.copy(rows = rows, assumed = branches.exists(_.assumed))
  }

  private def throughExpand(expand: ExpandExec): RowFacts = {
    val child = apply(expand.child)
    child.copy(rows = child.rows.map(_ * expand.projections.length), constants = Set.empty,
      equal = Nil, unique = Nil, columns = Map.empty)
  }

  private def limited(facts: RowFacts, limit: Double): RowFacts =
    facts.copy(rows = Some(facts.rows.fold(limit)(_.min(limit))))

  private def capped(column: ColumnFacts, rows: Option[Double]): ColumnFacts =
    column.copy(distinct = column.distinct.map(d => rows.fold(d)(_.min(d))))

  private def rename(facts: RowFacts, from: Seq[Attribute], to: Seq[Attribute]): RowFacts =
    throughProject(from.zip(to).map { case (f, t) => Alias(f, t.name)(exprId = t.exprId) }, facts)
}
