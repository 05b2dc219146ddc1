package io.colocate.programs.lineage

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceV2ScanExecBase}

/** The inputs of a program, each found at any of its scans, with one name for each of its columns. */
final class Inputs {

  private val columns = mutable.Map.empty[(Input, Any), Attribute]
  private val loops = mutable.Map.empty[Any, Input]

  /** From now on scans of this relation are the rows that a loop hands to its next turn. */
  def handOver(scan: SparkPlan): Input = {
    val identity = identityOf(scan)
    loops.getOrElseUpdate(identity, new Input("the last turn", identity, made = true))
  }

  def of(scan: SparkPlan): Input = {
    val identity = identityOf(scan)
    loops.getOrElse(identity, new Input(nameOf(scan), identity))
  }

  /** An expression over the output of a scan as a field of its input. */
  def field(scan: SparkPlan, expression: Expression): Field = {
    val input = of(scan)
    new Field(expression.transform { case a: Attribute => column(input, scan, a) })
  }

  /** The column of a loop's input at a place of its output. */
  def column(input: Input, place: Int, like: Attribute): Field =
    new Field(named(input, place, like))

  private def column(input: Input, scan: SparkPlan, a: Attribute): Attribute = scan match {
    case cached: InMemoryTableScanExec => named(input, placeIn(cached.relation.output, a), a)
    case _: DataSourceScanExec | _: DataSourceV2ScanExecBase | HiveScan(_) =>
      named(input, a.name, a)
    case other => named(input, placeIn(other.output, a), a)
  }

  private def placeIn(output: Seq[Attribute], a: Attribute): Int =
    output.indexWhere(_.exprId == a.exprId)

  private def named(input: Input, key: Any, like: Attribute): Attribute =
    columns.getOrElseUpdate((input, key), AttributeReference(like.name, like.dataType)())

  private def identityOf(scan: SparkPlan): Any = scan match {
    case file: FileSourceScanLike =>
      file.tableIdentifier.getOrElse(file.relation.location.rootPaths.map(_.toString).toSet)
    case rows: RowDataSourceScanExec => rows.tableIdentifier.getOrElse(rows.relation)
    case table: BatchScanExec => table.table.name
    case cached: InMemoryTableScanExec => Same(cached.relation.cacheBuilder)
    case rows: RDDScanExec => rows.rdd.id
    case HiveScan(table) => table
    case other => other.canonicalized
  }

  private def nameOf(scan: SparkPlan): String = scan match {
    case file: FileSourceScanLike =>
      file.tableIdentifier.fold(file.relation.location.rootPaths.mkString(", "))(_.unquotedString)
    case cached: InMemoryTableScanExec =>
      cached.relation.cacheBuilder.tableName.getOrElse(s"cached (${columnsOf(scan)})")
    case rows: RowDataSourceScanExec =>
      rows.tableIdentifier.fold(rows.nodeName)(_.unquotedString)
    case table: BatchScanExec => table.table.name
    case HiveScan(table) => table.unquotedString
    case _ => s"${scan.nodeName} (${columnsOf(scan)})"
  }

  private def columnsOf(scan: SparkPlan): String = scan match {
    case cached: InMemoryTableScanExec => cached.relation.output.map(_.name).mkString(", ")
    case other => other.output.map(_.name).mkString(", ")
  }
}

/** Equal to itself alone. */
final private case class Same(it: AnyRef) {
  override def equals(other: Any): Boolean = other match {
    case Same(that) => it eq that
    case _ => false
  }
  override def hashCode: Int = System.identityHashCode(it)
}
