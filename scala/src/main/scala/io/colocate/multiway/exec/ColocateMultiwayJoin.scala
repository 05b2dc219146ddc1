package io.colocate.multiway.exec

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastDistribution, Distribution, UnspecifiedDistribution}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.multiway.model.{BuildMemory, EncodedRelation, MostMemory, RelationMode, TablesSpec, VariableCondition}
import io.colocate.multiway.rows.{Cancelled, DrivenJoin, JoinMetrics, JoinTables, MultiwayOperator, MultiwayRows, RowsSpec}
import io.colocate.multiway.wcoj.{Comparison, Demand}
import io.colocate.rule.ColocateConf

/**
 * Joins several inputs on all their common variables at once. The rows of the first, the driver, are not
 * moved; the others are broadcast and become tries, once on each executor.
 *
 * {{{
 *   ColocateMultiwayJoin [v0, v1], [v1, v2], [v0, v2]
 *   :- FileScan edges                              src is v0, dst is v1
 *   :- BroadcastExchange RelationMode              src is v1, dst is v2
 *   :  +- FileScan edges
 *   +- ReusedExchange                              src is v0, dst is v2
 * }}}
 *
 * If the rows turn out to take more memory than allowed, which their size in files does not show, the
 * inputs are shuffled into cells instead ([[ColocateMultiwayJoin.InCells]]).
 *
 * @param keys      for each input the columns that are variables, each variable once
 * @param variables for each input the numbers of these variables
 * @param demands   what the join requires of each input: the driver's rows are joined
 * @param output    columns of the inputs, then the weight if rows are counted
 * @param counted   the number of join rows that each row stands for; without it, rows are repeated
 * @param limited   true if only the first rows are needed, so that no row is read before
 */
final case class ColocateMultiwayJoin(
    children: Seq[SparkPlan],
    keys: Seq[Seq[Attribute]],
    variables: Seq[Seq[Int]],
    demands: Seq[Demand],
    comparisons: Seq[Comparison],
    conditions: Seq[VariableCondition],
    output: Seq[Attribute],
    counted: Option[Attribute],
    limited: Boolean)
    extends MultiwayOperator {

  private def driver: SparkPlan = children.head

  override protected def moreMetrics: Map[String, SQLMetric] =
    Map("inCells" -> SQLMetrics.createMetric(sparkContext, "joined in cells for want of memory"))

  override protected def cellsText: String =
    if (metrics("inCells").value > 0) ", joined in cells for want of memory" else ""

  @transient override lazy val mostMemory: MostMemory = MostMemory.of(sparkContext)

  override def requiredChildDistribution: Seq[Distribution] =
    UnspecifiedDistribution +: layout.modes.map(BroadcastDistribution(_))

  override protected def doExecute(): RDD[InternalRow] = {
    KeptRelations.of(sparkContext).shrink(ColocateConf.MultiwayKeepBytes(conf))
    val all = children.tail.map(_.executeBroadcast[Array[InternalRow]]())
    val ids = all.map(_.id).distinct
    val sources = ids.map(id => all.indexWhere(_.id == id))
    val modes = sources.map(layout.modes)
    val rows = sources.map(i => all(i).value)
    val encoded = rows.zip(modes).map { case (chunks, mode) =>
      Option.unless(RelationMode.tooLarge(chunks))(new EncodedRelation(chunks, mode))
    }
    if (fits(encoded, modes)) {
      val tablesSpec = layout.tables(all.map(b => ids.indexOf(b.id)))
      val tasks = Tasks(tablesSpec, layout.rows, sources.map(all), modes, JoinMetrics(this))
      SharedPartitions.of(driver, keys.head, weighed = !limited)(tasks.work)
        .mapPartitions(tasks.apply)
    } else {
      val counts = rows.zip(encoded).map { case (chunks, relation) =>
        relation.map(_.rows.toLong).orElse(RelationMode.rowsOf(chunks))
      }
      inCells(all.map(b => counts(ids.indexOf(b.id))))
    }
  }

  /** Judges by the actual rows. */
  private def fits(encoded: Seq[Option[EncodedRelation]], modes: Seq[RelationMode]): Boolean =
    encoded.forall(_.isDefined) &&
      encoded.flatten.zip(modes).map { case (rows, mode) => BuildMemory.of(mode, rows) }.sum <=
      mostMemory.built

  /** @param rows the number of rows of each input but the driver, if it is known */
  private def inCells(rows: Seq[Option[Long]]): RDD[InternalRow] = {
    metrics("inCells").set(1)
    SQLMetrics.postDriverMetricUpdates(sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY), Seq(metrics("inCells")))
    val plan = getTagValue(ColocateMultiwayJoin.InCells).get.plan(rows)
    plan.execute()
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): ColocateMultiwayJoin = copy(children = newChildren)
}

object ColocateMultiwayJoin {

  /** Plans the same join in cells. Copies of the operator keep it. */
  private[multiway] val InCells = TreeNodeTag[InCells]("colocate.multiway.inCells")

  /** Takes the rows of the inputs but the driver. Serializable, as a plan may be sent with a task. */
  final private[multiway] class InCells(@transient val plan: Seq[Option[Long]] => SparkPlan)
      extends Serializable
}

/** What a task needs, without the plan. */
final private case class Tasks(
    tablesSpec: TablesSpec,
    rows: RowsSpec,
    sources: Seq[Broadcast[Array[InternalRow]]],
    modes: Seq[RelationMode],
    metrics: JoinMetrics) {

  def apply(driver: Iterator[InternalRow]): Iterator[InternalRow] =
    metrics.counted(new MultiwayRows(driver, tables(task), tablesSpec, rows, task))

  /** Roughly how much work the rows of the driver are. */
  def work(driver: Iterator[InternalRow]): Long =
    new DrivenJoin(tables(task), tablesSpec, rows, task).work(driver)

  private def task: TaskContext = TaskContext.get()

  private def tables(task: TaskContext): JoinTables = {
    val tables = JoinTables.shared(tablesSpec,
      sources.zip(modes).map { case (rows, mode) => LayeredBroadcast.source(rows, mode) })(() =>
      Cancelled.check(task))
    metrics.built(tables)
    tables
  }
}
