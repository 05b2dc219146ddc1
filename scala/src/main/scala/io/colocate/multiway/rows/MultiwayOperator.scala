package io.colocate.multiway.rows

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.multiway.model.{MostMemory, VariableCondition}
import io.colocate.multiway.wcoj.{Comparison, Demand}
import io.colocate.rule.ColocateNode

/** Joins several inputs on all their common variables at once. The first one is the driver. */
trait MultiwayOperator extends ColocateNode {

  /** For each input the columns that are variables, each variable once. */
  def keys: Seq[Seq[Attribute]]

  /** For each input the numbers of these variables. */
  def variables: Seq[Seq[Int]]

  /** What the join requires of each input. */
  def demands: Seq[Demand]

  def comparisons: Seq[Comparison]

  /** Other conditions on the variables. */
  def conditions: Seq[VariableCondition]

  /** The number of join rows that each row stands for; without it, rows are repeated. */
  def counted: Option[Attribute]

  /** How much memory the rows of an input may take. */
  def mostMemory: MostMemory

  @transient final protected[multiway] lazy val layout = new RowLayout(this)

  /** How many variables are bound one below another: the fewer, the less work. */
  def depth: Int = layout.depth

  override def producedAttributes: AttributeSet = AttributeSet(counted)

  protected def moreMetrics: Map[String, SQLMetric] = Map.empty

  final override lazy val metrics: Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "proposals" -> SQLMetrics.createMetric(sparkContext, "number of values looked at"),
    "buildTime" -> SQLMetrics.createNanoTimingMetric(sparkContext, "time to build tries"),
    "buildSize" -> SQLMetrics.createSizeMetric(sparkContext, "size of tries")) ++ moreMetrics

  protected def cellsText: String = ""

  override def simpleString(maxFields: Int): String = {
    val edges = variables.zip(demands).map { case (own, demand) =>
      own.map("v" + _).mkString(s"${Demand.word(demand)}[", ", ", "]")
    }.mkString(", ")
    val compared = (comparisons ++ conditions).map(c => s", $c")
    s"$nodeName $edges${compared.mkString}${counted.fold("")(c => s", counted as $c")}$cellsText"
  }
}

/** The metrics that a task reports of its join. */
final private[multiway] case class JoinMetrics(
    numOutputRows: SQLMetric,
    proposals: SQLMetric,
    buildTime: SQLMetric,
    buildSize: SQLMetric) {

  def built(tables: JoinTables): Unit = {
    buildTime += tables.nanos
    buildSize += tables.bytes
  }

  def counted(rows: MultiwayRows): Iterator[InternalRow] = new CountedRows(rows)

  /** Releases the rows after the last one: a task that joins in parts has memory for only one part. */
  final private class CountedRows(private var rows: MultiwayRows) extends Iterator[InternalRow] {
    TaskContext.get().addTaskCompletionListener[Unit](_ => end())

    private def end(): Unit = if (rows != null) {
      proposals += rows.proposals
      rows = null
    }

    override def hasNext: Boolean = rows != null && (rows.hasNext || {
      end()
      false
    })

    override def next(): InternalRow =
      if (rows == null) Iterator.empty.next()
      else {
        numOutputRows += 1
        rows.next()
      }
  }
}

private[multiway] object JoinMetrics {
  def apply(join: MultiwayOperator): JoinMetrics = JoinMetrics(join.longMetric("numOutputRows"),
    join.longMetric("proposals"), join.longMetric("buildTime"), join.longMetric("buildSize"))
}
