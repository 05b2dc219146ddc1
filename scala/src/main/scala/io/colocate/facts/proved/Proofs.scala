package io.colocate.facts.proved

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.expressions.Alias
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec}
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.execution.window.{WindowExecBase, WindowGroupLimitExec}

/**
 * Proves facts about the rows of every operator of a physical plan, bottom-up and computed once for each.
 *
 * For an operator without a case here nothing is proved, not even that it passes on the facts of its child:
 * it may have the child's columns and yet return a row several times, as a sample with replacement does,
 * and ColocateHyperScan, which reads a file once for each group. Of what a leaf reads it is known what has
 * been declared.
 */
final class Proofs(declared: DeclaredFacts = DeclaredFacts.None) {

  private val memo = new IdentityHashMap[SparkPlan, ProvedFacts]

  def apply(plan: SparkPlan): ProvedFacts = {
    val known = memo.get(plan)
    if (known != null) known
    else {
      val facts = derive(plan)
      memo.put(plan, facts)
      facts
    }
  }

  private def derive(plan: SparkPlan): ProvedFacts = plan match {
    case stage: QueryStageExec => apply(stage.plan)
    case reused: ReusedExchangeExec => ofReused(reused)
    case project: ProjectExec => apply(project.child).through(project.projectList)
    case first: TakeOrderedAndProjectExec => apply(first.child).through(first.projectList)
    case filter: FilterExec => ofFiltered(filter)
    case aggregate: BaseAggregateExec => ofGroups(aggregate)
    case join: BaseJoinExec => JoinProofs(join, apply(join.left), apply(join.right))
    case generate: GenerateExec => apply(generate.child).repeated
    case sample: SampleExec if sample.withReplacement => apply(sample.child).repeated
    case read: AQEShuffleReadExec if readsTwice(read) => apply(read.child).repeated
    case _ if passesEachOnce(plan) => apply(plan.children.head)
    case leaf if leaf.children.isEmpty => declared(leaf)
    case _ => ProvedFacts.Nothing
  }

  /** True of operators that return rows of their child, with all its columns, and no row twice. */
  private def passesEachOnce(plan: SparkPlan): Boolean = plan match {
    case _: Exchange | _: CoalesceExec | _: AQEShuffleReadExec | _: SortExec => true
    case _: WindowExecBase | _: WindowGroupLimitExec | _: LimitExec | _: SampleExec => true
    case _: ColumnarToRowTransition | _: RowToColumnarTransition => true
    case _: WholeStageCodegenExec | _: InputAdapter | _: CollectMetricsExec | _: SameRows => true
    case _ => false
  }

  private def ofFiltered(filter: FilterExec): ProvedFacts = {
    val rows = apply(filter.child).where(filter.condition)
    FirstOfEach(filter).fold(rows)(rows.keyedBy(_, filter.output))
  }

  private def ofReused(reused: ReusedExchangeExec): ProvedFacts =
    apply(reused.child).through(reused.child.output.zip(reused.output).map { case (from, to) =>
      Alias(from, to.name)(exprId = to.exprId)
    })

  /** If one side of a join is skewed, the join reads partitions of the other side again for each part. */
  private def readsTwice(read: AQEShuffleReadExec): Boolean =
    read.partitionSpecs.distinct.length < read.partitionSpecs.length

  /**
   * The grouping columns are a key of a merging aggregate's output, and determine all of it. A partial
   * aggregate may return each group in every task. Without grouping there is one row, and no columns that
   * could form a key.
   */
  private def ofGroups(aggregate: BaseAggregateExec): ProvedFacts = {
    val grouping = aggregate.groupingExpressions
    val groups = apply(aggregate.child).through(grouping).repeated
    if (aggregate.requiredChildDistributionExpressions.isEmpty) groups
    else {
      val results = grouping.map(_.toAttribute) ++ aggregate.aggregateAttributes
      val known =
        if (grouping.isEmpty) groups else groups.keyedBy(grouping.map(_.exprId).toSet, results)
      known.through(aggregate.resultExpressions)
    }
  }
}

/** An operator of Colocate's that returns the rows of its child unchanged, each once. */
trait SameRows extends UnaryExecNode
