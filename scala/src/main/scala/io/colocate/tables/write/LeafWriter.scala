package io.colocate.tables.write

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, DirectShufflePartitionID}
import org.apache.spark.sql.catalyst.plans.logical.{Project, RepartitionByExpression}
import org.apache.spark.sql.execution.CollectMetricsExec
import org.apache.spark.sql.execution.datasources.FileFormatWriter
import org.apache.spark.util.SerializableConfiguration

import io.colocate.tables.format.FileAdded
import io.colocate.tables.tree.RobustTree

/**
 * Writes rows into Parquet files of a table, each file with rows of one leaf.
 *
 * {{{
 *   rows -> LeafOf -> shuffle by leaf -> one file per leaf, with its statistics
 * }}}
 *
 * The files are not part of the table until a version of the log names them.
 */
object LeafWriter {

  /** How rows are spread over tasks. */
  sealed trait Tasks

  /** A task for each leaf, which need not sort; for a whole table. */
  case object PerLeaf extends Tasks

  /** As few tasks as adaptive execution finds best; for rows that may be few. */
  case object Coalesced extends Tasks

  /** @param options options of Spark's Parquet writer, such as compression */
  def apply(
      rows: RowSource,
      table: Path,
      tree: RobustTree,
      tasks: Tasks,
      options: Map[String, String],
      dataChange: Boolean = true): Written = {
    val session = rows.session
    val conf = session.sessionState.newHadoopConfWithOptions(options)
    val columns = tree.columns
    val byName = rows.plan.output.map(column => column.name -> column).toMap
    val leafOf = LeafOf(tree.root, columns, columns.map(byName))
    val (plan, partitionColumns) = tasks match {
      case PerLeaf =>
        val leaf = Seq(DirectShufflePartitionID(leafOf))
        (RepartitionByExpression(leaf, rows.plan, Some(tree.leaves.length)), Nil)
      case Coalesced =>
        val leaf = Alias(leafOf, LeafColumn)()
        val routed = Project(rows.plan.output :+ leaf, rows.plan)
        val column = leaf.toAttribute
        (RepartitionByExpression(Seq(column), routed, None), Seq(column))
    }
    val statistics = new FileStatistics(rows.schema, new SerializableConfiguration(conf))
    val executed = session.sessionState.executePlan(plan).executedPlan
    TableParquet.pinned(session) {
      FileFormatWriter.write(session, executed, new TableParquet, new DirectCommit(table.toString),
        FileFormatWriter.OutputSpec(table.toString, Map.empty, plan.output: Seq[Attribute]), conf,
        partitionColumns, bucketSpec = None, Seq(statistics), options)
    }
    Written(added(statistics.files, tree, conf, dataChange), CollectMetricsExec.collect(executed))
  }

  private def added(
      written: Seq[WrittenFile],
      tree: RobustTree,
      conf: Configuration,
      dataChange: Boolean): Seq[FileAdded] = {
    // Spark writes a file without rows if there are no rows at all.
    val (files, empty) = written.partition(_.rows > 0)
    Discard(empty.map(file => new Path(file.path)), conf)
    val leaves = tree.leafIds.toIndexedSeq
    files.map { file =>
      FileAdded(new Path(file.path).getName, tree.id, Some(leaves(file.leaf)), file.rows,
        file.bytes, file.modified, file.stats, dataChange)
    }
  }

  /** The leaf in the name that Spark gives to the folder of a partition. */
  private[write] def leafOf(folder: String): Int =
    folder.substring(folder.lastIndexOf('=') + 1).toInt

  private val LeafColumn = "__colocate_leaf"
}

/**
 * What was written.
 *
 * @param observed the metrics of the plan's CollectMetrics, by their names
 */
final case class Written(files: Seq[FileAdded], observed: Map[String, Row])
