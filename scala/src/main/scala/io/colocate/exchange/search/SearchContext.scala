package io.colocate.exchange.search

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.cost.{CostModel, FewerKeysGuard, SharedSubplans}
import io.colocate.exchange.memory.{ExchangeFindings, Narrowed, PlanMemory, Refusal, Settled}
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.estimated.Estimates
import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.proved.Proofs
import io.colocate.report.{Finding, Reason}
import io.colocate.rule.ColocateConf

/** The services that all parts of one search of one plan share, and the record of refusals. */
final class SearchContext(
    val proofs: Proofs,
    val estimates: Estimates,
    val cost: CostModel,
    guard: FewerKeysGuard,
    val sharing: SharedSubplans,
    val skew: SkewedStages,
    val settled: Settled,
    val conf: SQLConf) {

  /** The most alternatives and interesting partitionings that are kept for one operator. */
  val limit: Int = ColocateConf.ExchangeMaxCandidates(conf)

  val usualPartitions: Int = conf.numShufflePartitions

  private val declines = mutable.LinkedHashMap.empty[String, Finding]
  private val refusals = mutable.LinkedHashSet.empty[Refusal]

  /** Partitionings that would have saved something and were refused, in the plan's order. */
  def declined: Seq[Finding] = declines.values.toSeq

  /** Those that the guard refused, for which run time may bring evidence. */
  def refused: Seq[Refusal] = refusals.toSeq

  /** The guard's evidence; None if the guard refuses, which is recorded. */
  def admit(
      operator: SparkPlan,
      rows: SparkPlan,
      keys: Seq[Expression],
      required: Seq[Expression],
      n: Int,
      exact: Boolean): Option[Reason] =
    guard(rows, keys, required, n, exact) match {
      case Right(evidence) => Some(evidence)
      case Left(reason) =>
        val i = operator.children.indexWhere(_ eq rows)
        refusals += Refusal(PlanMemory.edge(operator, i, required), keys, n)
        refuse(operator, required, reason)
        None
    }

  def refuse(operator: SparkPlan, required: Seq[Expression], reason: Reason): Unit = {
    val decline =
      ExchangeFindings.kept(operator.nodeName, HashPartitionings.names(required), reason)
    declines.getOrElseUpdate(s"${decline.place}:$reason", decline)
  }

  /** The preferred items; all of them if none is preferred. */
  def preferring[T](open: Seq[T])(preferred: T => Boolean): Seq[T] = {
    val some = open.filter(preferred)
    if (some.isEmpty) open else some
  }

  /** The cost of a shuffle; if equal subplans share it, this one's part. */
  def shuffle(rows: SparkPlan, keys: Seq[Expression], n: Int): Double =
    cost.shuffle(rows, keys, n) / sharing.uses(rows)

  /**
   * Leaves the rows of a choice in place. Rows that are needed several times are then computed each
   * time, from the nearest shuffles and leaves below, where one shuffle would have kept them.
   */
  def left(below: Alternative, narrowed: Option[Narrowed] = None): Edge = {
    val more = sharing.computed(below.operator) - 1
    val again = if (more <= 0) 0.0 else inputs(below) * more / sharing.uses(below.operator)
    Edge(below, None, narrowed, again)
  }

  private def inputs(choice: Alternative): Double = choice match {
    case leaf if leaf.operator.children.isEmpty => cost.bytes(leaf.operator)
    case inner =>
      inner.links.map { link =>
        if (link.exchange.isDefined) cost.bytes(link.below.operator) else inputs(link.below)
      }.sum
  }

  /** The interesting partitionings of an operator's output, passed to its child `i`. */
  def wishesBelow(operator: SparkPlan, i: Int, wishes: Seq[Wish]): Seq[Wish] =
    InterestingPartitionings
      .below(operator, i, wishes, keepsRows(operator, i), keepsValues(operator, i))
      .take(limit)

  /** True if the output has each value of the keys that the rows of child `i` have. */
  private def keepsValues(operator: SparkPlan, i: Int): Boolean = operator match {
    case _: BaseAggregateExec => true
    case _ => keepsRows(operator, i)
  }

  /** True if each row that the operator reads from child `i` is in its output. */
  private def keepsRows(operator: SparkPlan, i: Int): Boolean = operator match {
    case _: ProjectExec | _: window.WindowExecBase | _: python.EvalPythonExec => true
    case generate: GenerateExec => generate.outer
    case join: BaseJoinExec => JoinSemantics.keepsEachRow(join.joinType, Side.of(i))
    case sort: SortExec => !sort.global
    case _ => false
  }
}
