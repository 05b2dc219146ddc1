package io.colocate.multiway.run

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastDistribution, Distribution, UnspecifiedDistribution}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.multiway.core.Comparison

/**
 * Joins several inputs on all their common variables at once. The rows of the first, the driver, are
 * read where they lie; the others are broadcast and become tries, once on each executor.
 *
 * {{{
 *   ColocateMultiwayJoin [v0, v1], [v1, v2], [v0, v2]
 *   :- FileScan edges                              src is v0, dst is v1
 *   :- BroadcastExchange RelationMode              src is v1, dst is v2
 *   :  +- FileScan edges
 *   +- ReusedExchange                              src is v0, dst is v2
 * }}}
 *
 * @param keys      of each input the columns that are variables, each variable once
 * @param variables of each input the numbers of these variables
 * @param output    columns of the inputs, then the weight if rows are counted
 * @param counted   how many rows of the join each row stands for; without it each comes as often
 */
final case class ColocateMultiwayJoin(
    children: Seq[SparkPlan],
    keys: Seq[Seq[Attribute]],
    variables: Seq[Seq[Int]],
    comparisons: Seq[Comparison],
    output: Seq[Attribute],
    counted: Option[Attribute])
    extends SparkPlan {

  private def driver: SparkPlan = children.head

  @transient private lazy val layout = new RowLayout(this)

  override def producedAttributes: AttributeSet = AttributeSet(counted)

  /** How many variables are bound one below the other: the fewer, the less there is to do. */
  def depth: Int = layout.depth

  override def requiredChildDistribution: Seq[Distribution] =
    UnspecifiedDistribution +: layout.modes.map(BroadcastDistribution(_))

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "proposals" -> SQLMetrics.createMetric(sparkContext, "number of values looked at"),
    "buildTime" -> SQLMetrics.createNanoTimingMetric(sparkContext, "time to build tries"),
    "buildSize" -> SQLMetrics.createSizeMetric(sparkContext, "size of tries"))

  override protected def doExecute(): RDD[InternalRow] = {
    val all = children.tail.map(_.executeBroadcast[Array[InternalRow]]())
    val ids = all.map(_.id).distinct
    val sources = ids.map(id => all.indexWhere(_.id == id))
    val tablesSpec = layout.tables(all.map(b => ids.indexOf(b.id)))
    val tasks = Tasks(tablesSpec, layout.rows, sources.map(all), sources.map(layout.modes),
      longMetric("numOutputRows"), longMetric("proposals"), longMetric("buildTime"),
      longMetric("buildSize"))
    SharedPartitions.of(driver, keys.head).mapPartitions(tasks.apply)
  }

  override def simpleString(maxFields: Int): String = {
    val edges = variables.map(_.map("v" + _).mkString("[", ", ", "]")).mkString(", ")
    val compared = comparisons.map { case Comparison(less, greater, strict) =>
      s", v$less ${if (strict) "<" else "<="} v$greater"
    }
    s"$nodeName $edges${compared.mkString}${counted.fold("")(c => s", counted as $c")}"
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): ColocateMultiwayJoin = copy(children = newChildren)
}

/** What a task needs; not the plan. */
final private case class Tasks(
    tablesSpec: TablesSpec,
    rows: RowsSpec,
    sources: Seq[Broadcast[Array[InternalRow]]],
    modes: Seq[RelationMode],
    numOutputRows: SQLMetric,
    proposals: SQLMetric,
    buildTime: SQLMetric,
    buildSize: SQLMetric) {

  def apply(driver: Iterator[InternalRow]): Iterator[InternalRow] = {
    val (tables, built) = JoinTables.shared(tablesSpec, sources, modes)
    if (built) {
      buildTime += tables.nanos
      buildSize += tables.bytes
    }
    val task = TaskContext.get()
    val found = new MultiwayRows(driver, tables, tablesSpec, rows, task)
    task.addTaskCompletionListener[Unit](_ => proposals += found.proposals)
    found.map { row =>
      numOutputRows += 1
      row
    }
  }
}
