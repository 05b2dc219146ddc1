package io.colocate.facts.estimated

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins._
import org.apache.spark.sql.execution.window.WindowExecBase

import io.colocate.facts.expressions.Renaming
import io.colocate.facts.proved.Proofs

/**
 * Estimates for every operator of a physical plan, bottom-up and computed once for each. Estimates give the
 * cost of a partitioning; only proofs ([[Proofs]]) may justify one. Proofs are used here if they improve an
 * estimate.
 *
 * Estimates err on the large side if nothing is known: a filter of unknown selectivity keeps all rows.
 * There is one assumption, marked as [[RowEstimates.assumed]]: a join on keys with unknown distinct counts
 * returns as many rows as its larger input has (key to foreign key).
 */
final class Estimates(proofs: Proofs) {

  private val memo = new IdentityHashMap[SparkPlan, RowEstimates]
  private val leaves = new LeafEstimates

  def apply(plan: SparkPlan): RowEstimates = {
    val known = memo.get(plan)
    if (known != null) known
    else {
      val estimates = compute(plan).copy(proved = proofs(plan))
      memo.put(plan, estimates)
      estimates
    }
  }

  private def compute(plan: SparkPlan): RowEstimates = plan match {
    case stage: QueryStageExec => ofStage(stage)
    case reused: ReusedExchangeExec =>
      rename(apply(reused.child), reused.child.output, reused.output)
    case exchange: Exchange => apply(exchange.child)
    case leaf if leaf.children.isEmpty => leaves(leaf)
    case project: ProjectExec => throughProject(project.projectList, apply(project.child))
    case filter: FilterExec => throughFilter(filter)
    case aggregate: BaseAggregateExec => throughAggregate(aggregate)
    case join: BaseJoinExec => JoinEstimates(join, apply(join.left), apply(join.right))
    case union: UnionExec => throughUnion(union)
    case expand: ExpandExec => throughExpand(expand)
    case generate: GenerateExec =>
      val child = apply(generate.child)
      child.copy(assumed = true, columns = child.widths, likelyKeys = Nil)
    case _: WindowExecBase => apply(plan.children.head)
    case limit: LimitExec => limited(apply(limit.child), limit.limit.toDouble)
    case limit: TakeOrderedAndProjectExec =>
      limited(throughProject(limit.projectList, apply(limit.child)), limit.limit.toDouble)
    case sample: SampleExec if sample.withReplacement =>
      val child = apply(sample.child)
      child.copy(rows = child.rows.map(_ * (sample.upperBound - sample.lowerBound)),
        columns = child.widths, likelyKeys = Nil)
    case unary: UnaryExecNode if unary.output == unary.child.output =>
      val child = apply(unary.child)
      child.copy(likelyKeys = child.allKeys)
    case _: UnaryExecNode =>
      RowEstimates.Unknown.copy(rows = apply(plan.children.head).rows, assumed = true)
    case _ => RowEstimates.Unknown
  }

  private def ofStage(stage: QueryStageExec): RowEstimates = {
    val below = apply(stage.plan)
    stage.computeStats().flatMap(_.rowCount).fold(below) { rows =>
      below.copy(rows = Some(rows.toDouble), assumed = false)
    }
  }

  /** What is proved of the projected rows is not in it. */
  private def throughProject(list: Seq[NamedExpression], child: RowEstimates): RowEstimates = {
    val names = new Renaming(list)
    child.copy(columns = child.columns.flatMap { case (id, column) =>
        names.of(id).map(_ -> column)
      }, likelyKeys = child.likelyKeys.flatMap(names.each))
  }

  private def throughFilter(filter: FilterExec): RowEstimates = {
    val child = apply(filter.child)
    val cost = filter.logicalLink.filter(_.conf.cboEnabled).flatMap(_.stats.rowCount)
      .map(_.toDouble)
    val rows = child.rows.map { r =>
      val own = (r * Selectivity(filter.condition, child)).max(1.0)
      cost.fold(own)(_.min(own))
    }
    child.copy(rows = rows, columns = child.columns.map { case (id, c) => id -> capped(c, rows) })
  }

  private def throughAggregate(aggregate: BaseAggregateExec): RowEstimates = {
    val grouping = aggregate.groupingExpressions
    val child = throughProject(grouping ++ aggregate.child.output, apply(aggregate.child))
      .copy(proved = proofs(aggregate.child).through(grouping))
    val groups = if (grouping.isEmpty) Some(1.0) else child.distinct(grouping.map(_.toAttribute))
    // A partial aggregate may see each group in every task, so only a merged one is bounded.
    val merged = aggregate.requiredChildDistributionExpressions.isDefined
    val rows = if (merged) (child.rows ++ groups).minOption else child.rows
    val grouped =
      child.copy(rows = rows, assumed = child.assumed && groups.isEmpty, likelyKeys = Nil)
    if (merged) throughProject(aggregate.resultExpressions, grouped) else grouped
  }

  private def throughUnion(union: UnionExec): RowEstimates = {
    val branches = union.children.map(apply)
    val rows = if (branches.forall(_.rows.isDefined)) Some(branches.flatMap(_.rows).sum) else None
    RowEstimates.Unknown.copy(rows = rows, assumed = branches.exists(_.assumed))
  }

  private def throughExpand(expand: ExpandExec): RowEstimates = {
    val child = apply(expand.child)
    RowEstimates.Unknown.copy(rows = child.rows.map(_ * expand.projections.length),
      assumed = child.assumed)
  }

  private def limited(estimates: RowEstimates, limit: Double): RowEstimates =
    estimates.copy(rows = Some(estimates.rows.fold(limit)(_.min(limit))))

  private def capped(column: ColumnEstimates, rows: Option[Double]): ColumnEstimates =
    column.copy(distinct = column.distinct.map(d => rows.fold(d)(_.min(d))))

  private def rename(
      estimates: RowEstimates,
      from: Seq[Attribute],
      to: Seq[Attribute]): RowEstimates = {
    val names = from.zip(to).map { case (f, t) => Alias(f, t.name)(exprId = t.exprId) }
    throughProject(names, estimates)
  }
}
