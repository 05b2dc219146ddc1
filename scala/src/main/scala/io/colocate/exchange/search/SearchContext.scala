package io.colocate.exchange.search

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.cost.{CostModel, FewerKeysGuard, SharedSubplans}
import io.colocate.exchange.memory.{Decline, Narrowed, PlanMemory, Refusal, Settled}
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.estimated.Facts
import io.colocate.report.Reason
import io.colocate.rule.ColocateConf

/** What every part of one search of one plan asks, and where refusals are noted. */
final class SearchContext(
    val facts: Facts,
    val cost: CostModel,
    guard: FewerKeysGuard,
    val sharing: SharedSubplans,
    val skew: SkewedStages,
    val settled: Settled,
    val conf: SQLConf) {

  /** Choices and wishes that are kept for one operator. */
  val limit: Int = ColocateConf.ExchangeMaxCandidates(conf)

  val usualPartitions: Int = conf.numShufflePartitions

  private val declines = mutable.LinkedHashMap.empty[String, Decline]
  private val refusals = mutable.LinkedHashSet.empty[Refusal]

  /** Layouts that would have saved something and were refused, in the plan's order. */
  def declined: Seq[Decline] = declines.values.toSeq

  /** Those that the guard refused, for which run time may bring evidence. */
  def refused: Seq[Refusal] = refusals.toSeq

  /** The guard's evidence; a refusal is noted. */
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
    val decline = Decline(operator.nodeName, HashPartitionings.names(required), reason)
    declines.getOrElseUpdate(s"${decline.operator}:$reason", decline)
  }

  /** Those that are preferred; all of them where none is. */
  def preferring[T](open: Seq[T])(preferred: T => Boolean): Seq[T] = {
    val some = open.filter(preferred)
    if (some.isEmpty) open else some
  }

  /** What a shuffle costs; where equal subplans share it, this one's part. */
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

  /** The wishes for an operator's output, told to its child `i`. */
  def wishesBelow(operator: SparkPlan, i: Int, wishes: Seq[Wish]): Seq[Wish] =
    InterestingPartitionings.below(operator, i, wishes, keepsRows(operator, i)).take(limit)

  /** True where each row that the operator takes from child `i` comes out again. */
  private def keepsRows(operator: SparkPlan, i: Int): Boolean = operator match {
    case _: ProjectExec | _: window.WindowExecBase => true
    case generate: GenerateExec => generate.outer
    case join: BaseJoinExec =>
      join.joinType match {
        case LeftOuter | ExistenceJoin(_) => i == 0
        case RightOuter => i == 1
        case FullOuter => true
        case _ => false
      }
    case sort: SortExec => !sort.global
    case _ => false
  }
}
