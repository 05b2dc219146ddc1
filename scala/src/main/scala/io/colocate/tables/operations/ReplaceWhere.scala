package io.colocate.tables.operations

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.Count
import org.apache.spark.sql.catalyst.plans.logical.{CollectMetrics, Filter, LogicalPlan, Union}
import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{CommitInfo, Isolation, NotSupported, RowsMissing, TreeAdded}
import io.colocate.tables.scan.PinTable
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}
import io.colocate.tables.write.{LeafWriter, RowSource, Written}

/**
 * Replaces the rows that a predicate selects. Files that may hold such rows are rewritten without them;
 * all others stay. Files that other writers add meanwhile conflict only if they may hold such rows too.
 *
 * If the table is compacted or adapted meanwhile, other files hold the rows that are kept. Then all is
 * done again with these.
 */
final class ReplaceWhere(session: SparkSession, log: TableLog) {

  import ReplaceWhere._

  private val transaction = new Transaction(session, log)
  private val conf = session.sessionState.conf

  /**
   * @param base      the version that the rows are based on: later commits of such rows conflict
   * @param predicate SQL over the table's columns; a row for which it is NULL is not selected
   * @param options   options of Spark's Parquet writer; layout options may be repeated
   * @throws InvalidOption if the predicate is not one, or for layout options that differ from the table's
   */
  def apply(
      base: Snapshot,
      rows: RowSource,
      predicate: String,
      options: Map[String, String]): Unit =
    transaction.rowsMoving(base, Tries)(on(_, rows, predicate, options))

  private def on(
      base: Snapshot,
      rows: RowSource,
      predicate: String,
      options: Map[String, String]): Unit = {
    TableOptions.requireSame(options, base.metadata.options, log.path.toString)
    val whole = transaction.read(base, base.files.indices)
    val selection = Selection(session, predicate, whole)
    val checked =
      rows.map(r => selection.required(AlignToSchema.byName(r, base.schema, log.path, conf)))
    if (base.files.isEmpty && base.trees.forall(_.leaves.length == 1))
      new TableWriter(session, log).overwrite(base, checked, options)
    else if (base.metadata.replicated)
      throw new NotSupported(s"${WriteOptions.ReplaceWhere} on a table with replicas", "overwrite")
    else replace(base, whole, checked.plan, selection, options)
  }

  /** Rows for a table that does not exist yet: here too, the predicate must select each row. */
  def first(rows: RowSource, predicate: String): RowSource =
    rows.map(plan => Selection(session, predicate, plan).required(plan))

  private def replace(
      base: Snapshot,
      whole: LogicalPlan,
      fresh: LogicalPlan,
      selection: Selection,
      options: Map[String, String]): Unit = {
    val mayHold = filesFor(whole, selection)
    val touched = mayHold(base)
    val kept = selection.others(counted(transaction.read(base, touched)))
    // Rows may have been added while another writer of an older release removed all trees.
    val tree = base.trees.maxByOption(_.id).getOrElse(RobustTree(base.freeTreeId, Leaf(0)))
    val written = WriteStep(session, log.path, "replacing rows of") {
      LeafWriter(transaction.rows(Union(kept, fresh)), log.path, tree, LeafWriter.Coalesced,
        WriteOptions.ofParquet(options))
    }
    transaction.orDelete(written.files)(requireAllRead(base, touched, written))
    transaction.commit(base.version, base.metadata, written.files,
      transaction.removed(base, touched, dataChange = true) ++
        Option.when(base.trees.isEmpty)(TreeAdded(tree)),
      CommitInfo("WRITE", Map("mode" -> "Overwrite") ++ selection.parameters),
      Isolation.Overwrite(file => mayHold(base.having(file)).nonEmpty))
  }

  /** The files of a version that may hold rows which the predicate selects. */
  private def filesFor(whole: LogicalPlan, selection: Selection): Snapshot => IndexedSeq[Int] = {
    val selected = session.sessionState.executePlan(selection.selected(whole)).optimizedPlan
    selected match {
      case Filter(condition, scan) =>
        PinTable(log.path, _, Seq(condition),
          scan.output.collect { case a: AttributeReference =>
            a
          }).kept
      case _ => _.files.indices
    }
  }

  /** The same rows, counted before a filter drops any. */
  private def counted(old: LogicalPlan): LogicalPlan = {
    val count = Alias(Count(Literal(1)).toAggregateExpression(), ReadRows)()
    CollectMetrics(ReadRows, Seq(count), old, old.hashCode.toLong)
  }

  /**
   * The log knows how many rows the files have. A task that runs twice counts twice, so a higher count
   * is not an error.
   */
  private def requireAllRead(base: Snapshot, touched: Seq[Int], written: Written): Unit = {
    val wanted = touched.iterator.map(base.files.rows).sum
    val read = written.observed.get(ReadRows).fold(0L)(_.getLong(0))
    if (read < wanted) throw new RowsMissing(log.path.toString, base.version, wanted, read)
  }
}

private[tables] object ReplaceWhere {

  /** Each time all rows that stay are read and written again. */
  private val Tries = 3

  private val ReadRows = "colocate: rows that replaceWhere has read"
}
