package io.colocate.exchange.memory

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{LogicalQueryStage, QueryStageExec}
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledJoin}

import io.colocate.exchange.claims.{ColocateClaim, ServesMoreKeys}
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.PlanReport

/**
 * What the planner chose for a query, so that adaptive execution, which plans the rest of the query again
 * after every stage, finds the same choices. It is attached to the logical operators, which survive
 * re-planning.
 */
final class PlanMemory extends Serializable {

  private val partitionings = TrieMap.empty[String, Partitioning]
  private val refusals = TrieMap.empty[Refusal, Unit]

  /** The report of the first planning of the query. */
  @volatile var report: Option[PlanReport] = None

  /** True once a partitioning was adopted for any part of the query, such as a broadcast side. */
  @volatile var adopted: Boolean = false

  /** True once an adopted plan declared a partitioning to Spark ([[ColocateClaim]]). */
  @volatile var claimed: Boolean = false

  /** True once joins of an adopted plan compared more columns, which re-planning leaves out. */
  @volatile var carried: Boolean = false

  /** What adopted plans declared to Spark. */
  val claims: AdoptedClaims = new AdoptedClaims

  /**
   * True once an adopted plan had rows that serve other keys than they are hashed on ([[ServesMoreKeys]]), such
   * as functions of these keys.
   */
  @volatile var byFunctions: Boolean = false

  /** True if the plan was left alone without a search: later plannings look again. */
  @volatile var unseen: Boolean = false

  /** How often the query was searched; a later planning that can find nothing new is not counted. */
  @volatile var searches: Int = 0

  /**
   * True if a later planning may find more: if something was chosen, which the next planning must find
   * again, or something was refused, for which run time may bring evidence. Otherwise later plannings are
   * skipped.
   */
  def open: Boolean = adopted || unseen || refusals.nonEmpty

  /** What the guard refused. */
  def refused: Iterable[Refusal] = refusals.keys

  /** Forgets everything: the plan chosen for the query is not used after all. */
  def forget(): Unit = {
    partitionings.clear()
    refusals.clear()
    report = None
    adopted = false
    claimed = false
    carried = false
    claims.forget()
    byFunctions = false
    unseen = false
  }

  /**
   * Notes that a plan of Colocate's was adopted.
   *
   * @param complete the plan with the shuffles that Spark adds
   * @param carries  true if its joins compare more columns than the query's
   */
  def adopt(plan: SparkPlan, complete: SparkPlan, carries: Boolean = false): Unit = {
    val facts = plan.collect { case claim: ColocateClaim => claim.facts }.flatten
    adopted = true
    claimed ||= facts.nonEmpty
    carried ||= carries
    byFunctions ||= facts.contains(ServesMoreKeys)
    claims.note(plan, complete)
  }

  def refuse(all: Seq[Refusal]): Unit = all.foreach(refusals.put(_, ()))

  /** The partitioning chosen for the rows of child `i`. */
  def partitioning(operator: SparkPlan, i: Int, asked: Seq[Expression]): Option[Partitioning] =
    if (partitionings.isEmpty) None else partitionings.get(PlanMemory.edge(operator, i, asked))

  /** The keys that were chosen for the rows of child `i`. */
  def keys(operator: SparkPlan, i: Int, asked: Seq[Expression]): Option[Seq[String]] =
    partitioning(operator, i, asked).map(PlanMemory.texts)

  def settle(
      operator: SparkPlan,
      i: Int,
      asked: Seq[Expression],
      partitioning: Partitioning): Unit =
    partitionings.put(PlanMemory.edge(operator, i, asked), partitioning)

  /** True if a join of this plan was shuffled by choice and is a broadcast join now. */
  def changedJoin(plan: SparkPlan): Boolean = partitionings.nonEmpty && plan.exists {
    case join: BroadcastHashJoinExec =>
      Seq(join.leftKeys, join.rightKeys).zipWithIndex.exists { case (keys, i) =>
        partitionings.contains(PlanMemory.edge(join, PlanMemory.Join, i, keys))
      }
    case _ => false
  }
}

object PlanMemory {

  private val Tag = TreeNodeTag[PlanMemory]("colocate.exchange.memory")

  /** Distinguishes operators of one kind on the same keys. Copies of an operator keep it. */
  private val Number = TreeNodeTag[Int]("colocate.exchange.operator")

  /** The memory of the query that this plan is a part of. */
  def of(plan: SparkPlan): Option[PlanMemory] = plan.collectFirst {
    case p if linked(p).isDefined => linked(p).get
  }

  /** Gives the query of this plan a memory, and each of its operators a number there. */
  def start(plan: SparkPlan): PlanMemory = {
    val memory = new PlanMemory
    plan.flatMap(_.logicalLink).zipWithIndex.foreach { case (logical, number) =>
      logical.setTagValue(Tag, memory)
      if (logical.getTagValue(Number).isEmpty) logical.setTagValue(Number, number)
    }
    memory
  }

  /** Keys with their ids, as texts that mean the same in every re-planning of one query. */
  def texts(keys: Seq[Expression]): Seq[String] = keys.map(_.toString)

  def texts(partitioning: Partitioning): Seq[String] =
    HashPartitionings.hashes(partitioning).headOption.fold(Seq.empty[String])(h => texts(h.keys))

  private def linked(plan: SparkPlan): Option[PlanMemory] = plan.logicalLink.flatMap {
    case stage: LogicalQueryStage =>
      stage.getTagValue(Tag).orElse(stage.logicalPlan.getTagValue(Tag))
    case other => other.getTagValue(Tag)
  }

  /**
   * Stands for every kind of shuffled join, because adaptive execution may plan another kind for the same
   * join.
   */
  private val Join = "Join"

  /** Child `i` of an operator and the keys required there, as a text that every re-planning finds again. */
  def edge(operator: SparkPlan, i: Int, asked: Seq[Expression]): String =
    edge(operator, if (operator.isInstanceOf[ShuffledJoin]) Join else operator.nodeName, i, asked)

  private def edge(operator: SparkPlan, name: String, i: Int, asked: Seq[Expression]): String = {
    val number = operator.logicalLink.flatMap(_.getTagValue(Number)).fold("")(_.toString)
    s"$number$name#$i(${texts(asked).mkString(",")})"
  }
}

/**
 * A partitioning on fewer keys that the guard refused for lack of evidence.
 *
 * @param edge the input for which it was considered, see [[PlanMemory.edge]]
 */
final case class Refusal(edge: String, keys: Seq[Expression], n: Int)

/**
 * One planning of a query. Adaptive execution plans the rest of the query after every stage.
 *
 * @param again false for the first planning
 */
final case class Round(memory: PlanMemory, again: Boolean)

object Round {

  /** The only planning of a query, or the one before its first stage runs. */
  def first(plan: SparkPlan, adaptive: Boolean): Round =
    Round(if (adaptive) PlanMemory.start(plan) else new PlanMemory, again = false)

  /** A planning of the rest of a query. */
  def again(plan: SparkPlan): Round =
    Round(PlanMemory.of(plan).getOrElse(PlanMemory.start(plan)), again = true)

  /** A query that is planned for the first time has no stages yet. */
  def isAgain(plan: SparkPlan): Boolean = plan.exists(_.isInstanceOf[QueryStageExec])
}
