package io.colocate.facts.estimated

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{ColumnStat, LogicalPlan, Statistics}
import org.apache.spark.sql.execution.{FileSourceScanLike, LocalTableScanExec, RangeExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.StructType

import io.colocate.report.Bytes

/**
 * Estimates for a scan: the statistics of the catalogue if ANALYZE has run (read even if
 * spark.sql.cbo.enabled is false), else the size of the files.
 */
final private[estimated] class LeafEstimates {

  /** A query may read one table many times, and its files are added up each time. */
  private val sizes = new IdentityHashMap[HadoopFsRelation, Long]

  def apply(leaf: SparkPlan): RowEstimates = leaf match {
    case scan: FileSourceScanLike => ofFiles(scan)
    case table: LocalTableScanExec => rowsOnly(table.rows.length.toDouble)
    case range: RangeExec => rowsOnly(range.numElements.toDouble)
    case other =>
      other.logicalLink.fold(RowEstimates.Unknown)(link => ofStatistics(link, other.output))
  }

  private def rowsOnly(rows: Double): RowEstimates = RowEstimates.Unknown.copy(rows = Some(rows))

  private def ofFiles(scan: FileSourceScanLike): RowEstimates = {
    val relation = scan.logicalLink.flatMap(_.collectFirst {
      case l: LogicalRelation if l.relation eq scan.relation => l
    })
    val catalogued =
      for (r <- relation; table <- r.catalogTable; stats <- table.stats)
        yield stats.toPlanStats(r.output, true)
    catalogued.filter(_.rowCount.isDefined).fold {
      val size = catalogued.map(_.sizeInBytes).getOrElse(BigInt(sizeOf(scan.relation)))
      known(size).fold(RowEstimates.Unknown)(bytes =>
        rowsOnly(bytes / rowBytes(scan.relation.schema)))
    }(ofCatalogue(_, scan.output))
  }

  private def sizeOf(relation: HadoopFsRelation): Long =
    sizes.computeIfAbsent(relation, _.sizeInBytes)

  private def rowBytes(schema: StructType): Double = 8.0 + schema.map(_.dataType.defaultSize).sum

  private def ofStatistics(link: LogicalPlan, output: Seq[Attribute]): RowEstimates = {
    val stats = link.stats
    if (stats.rowCount.isDefined) ofCatalogue(stats, output)
    else
      known(stats.sizeInBytes).fold(RowEstimates.Unknown) { bytes =>
        rowsOnly(bytes / (8.0 + link.output.map(_.dataType.defaultSize).sum))
      }
  }

  private def known(size: BigInt): Option[Double] = Option.when(Bytes.known(size))(size.toDouble)

  private def ofCatalogue(stats: Statistics, output: Seq[Attribute]): RowEstimates = {
    val rows = stats.rowCount.map(_.toDouble.max(1.0))
    val columns =
      for (a <- output; stat <- stats.attributeStats.get(a))
        yield a.exprId -> column(stat, rows)
    RowEstimates.Unknown.copy(rows = rows, columns = columns.toMap)
  }

  private def column(stat: ColumnStat, rows: Option[Double]): ColumnEstimates = {
    val distinct = stat.distinctCount.map(_.toDouble.max(1.0))
    val nulls = for (n <- stat.nullCount; r <- rows) yield (n.toDouble / r).min(1.0)
    // Equal-height bins: a value that fills k bins alone holds k / bins of the rows.
    val hottest = stat.histogram.map { h =>
      val single = h.bins.filter(b => b.lo == b.hi).groupBy(_.lo).values.map(_.length)
      (single.maxOption.getOrElse(0) + 1).toDouble / h.bins.length.max(1)
    }
    ColumnEstimates(distinct, nulls, hottest, stat.avgLen.map(_.toDouble))
  }
}
