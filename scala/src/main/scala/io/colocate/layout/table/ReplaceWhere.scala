package io.colocate.layout.table

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Expression, If, Literal, Not, RaiseError}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Union}
import org.apache.spark.sql.classic.SparkSession

import io.colocate.layout.log._
import io.colocate.layout.read.PinTable
import io.colocate.layout.write.{LeafWriter, Rows}

/**
 * Puts rows in the place of those that a predicate selects. Files that may hold such rows are
 * written anew without them; all others stay. What others add meanwhile is in the way only where it
 * may hold such rows too.
 */
final class ReplaceWhere(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  /**
   * @param predicate SQL over the table's columns; a row for which it is NULL is not selected
   * @param options   of Spark's Parquet writer; those of the layout may be told again
   * @throws InvalidOption where the predicate is none, or for a layout that is not the table's
   */
  def apply(rows: Rows, predicate: String, options: Map[String, String]): Unit = {
    val base = log.snapshot()
    TableOptions.requireSame(options, base.metadata.options, log.path.toString)
    val conf = session.sessionState.conf
    val checked =
      rows.map(r => onlySelected(Align.byName(r, base.schema, log.path, conf), predicate))
    if (base.trees.isEmpty) new TableWriter(session, log).overwrite(base, checked, options)
    else if (base.metadata.replicated)
      throw new NotSupported(s"${WriteOptions.ReplaceWhere} on a table with replicas", "overwrite")
    else replace(base, checked.plan, predicate, options)
  }

  private def replace(
      base: Snapshot,
      fresh: LogicalPlan,
      predicate: String,
      options: Map[String, String]): Unit = {
    val mayHold = filesFor(base, predicate)
    val touched = mayHold(base)
    val old = transaction.read(base, touched)
    val kept = selecting(old, predicate)(p => Not(isTrue(p)))
    val files = Step(session, log.path, "replacing rows of") {
      LeafWriter(transaction.rows(Union(kept, fresh)), log.path, base.trees.maxBy(_.id),
        LeafWriter.Coalesced, WriteOptions.ofParquet(options))
    }
    transaction.commit(base.version, base.metadata, files,
      transaction.removed(base, touched, dataChange = true),
      CommitInfo("WRITE", Map("mode" -> "Overwrite", WriteOptions.ReplaceWhere -> predicate)),
      Isolation.Overwrite(file => mayHold(base.having(file)).nonEmpty))
  }

  /** Rows for a table that is yet to be made: each must be selected here too. */
  def first(rows: Rows, predicate: String): Rows = rows.map(onlySelected(_, predicate))

  private def onlySelected(rows: LogicalPlan, predicate: String): LogicalPlan =
    selecting(rows, predicate)(p => If(isTrue(p), Literal.TrueLiteral, fails(predicate)))

  /** The files of a version that may hold rows which the predicate selects. */
  private def filesFor(base: Snapshot, predicate: String): Snapshot => IndexedSeq[Int] = {
    val whole = transaction.read(base, base.files.indices)
    val filter = session.sessionState.executePlan(Filter(parsed(predicate), whole)).optimizedPlan
    filter match {
      case Filter(condition, _) =>
        PinTable(log.path, _, Seq(condition), whole.output).kept
      case _ => _.files.indices
    }
  }

  private def selecting(plan: LogicalPlan, predicate: String)(
      condition: Expression => Expression): LogicalPlan =
    Filter(condition(parsed(predicate)), plan)

  private def isTrue(predicate: Expression): Expression =
    Coalesce(Seq(predicate, Literal.FalseLiteral))

  private def fails(predicate: String): Expression = new RaiseError(Literal(
      s"[COLOCATE_TABLE_REPLACE_WHERE] A row to be written is not selected by ${WriteOptions.ReplaceWhere}" +
        s" = '$predicate'; accepted: rows for which it is true. Nothing was written."))

  private def parsed(predicate: String): Expression =
    session.sessionState.sqlParser.parseExpression(predicate)
}
