package io.colocate.multiway.decide

import scala.util.Try

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.parquet.{ParquetFileFormat, ParquetUtils}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.estimated.CountedFiles
import io.colocate.facts.expressions.Equalities
import io.colocate.multiway.graph.Region

/**
 * The files that an input reads completely.
 *
 * {{{
 *   Project [src AS s, dst]
 *   +- Filter (isnotnull(src) AND day = 3)    =>    the files of day=3, whose column src is s here
 *      +- Relation parquet
 * }}}
 *
 * Valid for Spark's own Parquet files that have been listed already, and for files that a log names. A
 * filter by partition columns keeps files whole. Counter-examples: `src > 3` keeps an unknown number of
 * rows; in a format that extends Spark's, rows of a file may have been deleted.
 *
 * @param columns the columns of the relation, by their attributes above it
 */
final private[multiway] case class PlainFiles(
    relation: HadoopFsRelation,
    source: PlainFiles.Source,
    columns: AttributeMap[Attribute]) {

  /** The column of the relation that an attribute stands for; None if it is computed. */
  def column(attribute: Attribute): Option[Attribute] = columns.get(attribute)

  private def renamed(list: Seq[NamedExpression]): PlainFiles = {
    val more = list.collect { case a @ Alias(column: Attribute, _) =>
      columns.get(column).map(a.toAttribute -> _)
    }
    copy(columns = AttributeMap(columns.toSeq ++ more.flatten))
  }
}

private[multiway] object PlainFiles {

  sealed trait Source

  /** Files that a log names. */
  final case class Logged(files: CountedFiles) extends Source

  /** @param partitions the partition values, with the files that have them */
  final case class Listed(partitions: Seq[(InternalRow, Seq[FileStatus])]) extends Source {
    def files: Seq[FileStatus] = partitions.flatMap(_._2)
  }

  def of(plan: LogicalPlan, conf: SQLConf): Option[PlainFiles] = plan match {
    case Project(list, child) => of(child, conf).map(_.renamed(list))
    case Filter(condition, child) =>
      val dropping = Equalities.conjuncts(condition).filterNot(_.isInstanceOf[IsNotNull])
      if (dropping.isEmpty) of(child, conf) else filtered(child, dropping, conf)
    case relation: LogicalRelation => plain(relation, Nil, conf)
    case _ => None
  }

  private def filtered(
      plan: LogicalPlan,
      filters: Seq[Expression],
      conf: SQLConf): Option[PlainFiles] = plan match {
    case relation: LogicalRelation if filters.forall(byFolder(_, relation)) =>
      plain(relation, filters, conf)
    case _ => None
  }

  private def byFolder(filter: Expression, relation: LogicalRelation): Boolean = {
    val folders = relation.relation match {
      case files: HadoopFsRelation => files.partitionSchema.fieldNames.toSet
      case _ => Set.empty[String]
    }
    val known = AttributeSet(relation.output.filter(a => folders(a.name)))
    Region.simple(filter) && filter.references.nonEmpty && filter.references.subsetOf(known)
  }

  /** Indexes other than Spark's own with a list would have to access the file system, or a catalog. */
  private def plain(
      scan: LogicalRelation,
      filters: Seq[Expression],
      conf: SQLConf): Option[PlainFiles] = scan.relation match {
    case relation: HadoopFsRelation =>
      val source = relation.location match {
        case files: CountedFiles if filters.isEmpty => Some(Logged(files))
        case index: PartitioningAwareFileIndex if readBySpark(relation, conf) =>
          Try(listed(index, filters.map(named(_, scan.output)))).toOption
        case _ => None
      }
      source.map(PlainFiles(relation, _, AttributeMap(scan.output.map(a => a -> a))))
    case _ => None
  }

  /** An index finds its columns by their names, which a query may spell in another case. */
  private def named(filter: Expression, output: Seq[Attribute]): Expression = filter.transform {
    case a: Attribute => output.find(_.exprId == a.exprId).getOrElse(a)
  }

  /** A filter may fail, as a cast does. */
  private def listed(index: PartitioningAwareFileIndex, filters: Seq[Expression]): Listed =
    Listed(index.listFiles(filters, Nil).map(p => (p.values, p.files.map(_.fileStatus))))

  /** True if columns are found by their names, and only the files say what is in them. */
  private def readBySpark(relation: HadoopFsRelation, conf: SQLConf): Boolean =
    relation.fileFormat.getClass == classOf[ParquetFileFormat] &&
      !(conf.parquetFieldIdReadEnabled && ParquetUtils.hasFieldIds(relation.dataSchema))
}
