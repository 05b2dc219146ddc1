package io.colocate.tables.sql

import java.util.Objects

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.SQLContext
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{BinaryNode, Command, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.sources.BaseRelation
import org.apache.spark.sql.types.StructType

import io.colocate.rule.{PlanRule, Statements}
import io.colocate.tables.feed.ChangedFiles
import io.colocate.tables.versions.{RobustFileIndex, TableScan}

/**
 * Shows Spark which table an analysed query reads, where Spark would not see it.
 *
 * Spark's `saveAsTable` with the mode overwrite drops the table before it runs the query, and refuses a
 * query that reads exactly the relation of the table's name. An older version and a table that is read
 * by its path are other relations, and Spark does not look into subqueries: all rows would be lost.
 *
 * @param left  the plan that is read; the node returns its rows
 * @param right a relation that equals the table's own one, regardless of version and columns
 */
final case class ReadsTable(left: LogicalPlan, right: LogicalPlan) extends BinaryNode {

  override def output: Seq[Attribute] = left.output

  override def metadataOutput: Seq[Attribute] = left.metadataOutput

  override protected def withNewChildrenInternal(
      newLeft: LogicalPlan,
      newRight: LogicalPlan): ReadsTable = copy(newLeft, newRight)
}

object ReadsTable {

  def apply(plan: LogicalPlan, mark: TableMark): ReadsTable =
    ReadsTable(plan, LogicalRelation(mark))

  /**
   * Marks analysed queries.
   *
   * {{{
   *   Filter (id IN (subquery of t2))         Filter (id IN (subquery of t2))
   *   +- Relation t1, version 3         =>    +- ReadsTable t2
   *                                              +- ReadsTable t1
   *                                                 +- Relation t1, version 3
   * }}}
   *
   * Valid as the node changes no row and no column. A table that a query reads by its name needs no
   * mark: Spark finds it itself.
   */
  object Mark extends PlanRule[LogicalPlan, LogicalPlan] {

    override def apply(plan: LogicalPlan): LogicalPlan =
      if (plan.isInstanceOf[Command] || !plan.resolved || plan.isStreaming) plan
      else {
        val marked = scans(plan)
        if (marked.containsPattern(PLAN_EXPRESSION)) withHidden(marked) else marked
      }

    private def withHidden(marked: LogicalPlan): LogicalPlan = {
      val visible = marked.collect { case TableMark.Of(mark) => mark }.toSet
      val hidden = marked.subqueriesAll.flatMap(_.collect { case TableMark.Of(mark) => mark })
      (hidden.distinct.filterNot(visible)).foldLeft(marked)(first(_, _))
    }

    private def scans(plan: LogicalPlan): LogicalPlan = plan match {
      case done: ReadsTable => done
      case relation: LogicalRelation if relation.catalogTable.isEmpty =>
        TableMark.Of.unapply(relation).fold[LogicalPlan](relation)(ReadsTable(relation, _))
      case other => other.mapChildren(scans)
    }

    /** Marks the first leaf: marks further up would hide the nodes below them from Spark's analyser. */
    private def first(plan: LogicalPlan, mark: TableMark): LogicalPlan =
      if (plan.children.isEmpty) ReadsTable(plan, mark)
      else plan.withNewChildren(first(plan.children.head, mark) +: plan.children.tail)
  }

  /** Removes the marks before Spark looks for cached data and optimises. */
  object Unmark extends PlanRule[LogicalPlan, LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan =
      if (!Statements.have(plan)(_.isInstanceOf[ReadsTable])) plan
      else plan.transformUpWithSubqueries { case ReadsTable(read, _) => read }
  }
}

/** A relation without columns that stands for a Colocate table. */
final class TableMark(val table: Path, override val sqlContext: SQLContext) extends BaseRelation {

  override def schema: StructType = new StructType()

  /** Equal to all relations of the table, so that Spark's search for what a query reads finds it. */
  override def equals(other: Any): Boolean = other match {
    case mark: TableMark => table == mark.table
    case fs: HadoopFsRelation => TableMark.read(fs).contains(table)
    case _ => false
  }

  override def hashCode: Int = Objects.hash(table)

  override def toString: String = s"Colocate[$table]"
}

private object TableMark {

  /** The table of which a scan reads a version or changes. */
  def read(fs: HadoopFsRelation): Option[Path] = fs.location match {
    case index: RobustFileIndex => Some(index.table)
    case changes: ChangedFiles => Some(changes.table)
    case _ => None
  }

  /** The mark of a relation that reads a table, or is a mark. */
  object Of {
    def unapply(plan: LogicalPlan): Option[TableMark] = plan match {
      case TableScan(_, fs, _) => read(fs).map(new TableMark(_, fs.sparkSession.sqlContext))
      case relation: LogicalRelation =>
        Some(relation.relation).collect { case mark: TableMark => mark }
      case _ => None
    }
  }
}
