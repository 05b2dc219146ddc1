package io.colocate.tables.feed

import java.util.Locale

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{Alias, EqualTo, Literal, Not, RowOrdering}
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LocalRelation, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.catalyst.util.{CharVarcharUtils, UnsafeRowUtils}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.{ArrayType, DataType, StringType, StructType, UserDefinedType}

import io.colocate.report.{ChangesReasons, Finding, Reason}
import io.colocate.tables.commit.{RememberedSettings, TableLog}
import io.colocate.tables.format.ChangesNameTaken
import io.colocate.tables.scan.ReadOnlyParquet

/**
 * The changes of a table as a relation: its columns, `_commit_version`, `_commit_timestamp` and `__diff`,
 * which says how many more of a row there are from that version on.
 *
 * {{{
 *   versions 4 to 7     =>  Union
 *                           :- Relation, files that 4 and 5 added                    whole
 *                           :- Filter (day = '2026-03-01')                           selected
 *                           :  +- Relation, files that 6 removed and added
 *                           +- Aggregate by row, sum(__diff)                         compared
 *                              +- Relation, files that 7 removed and added
 * }}}
 *
 * Valid as a version's files hold each row as often as the table does, a replaceWhere carries over all
 * rows that its predicate does not select, and equal rows that go and come in one version are no change.
 *
 * Counter-example: the predicate `day = current_date()` selects other rows tomorrow; it is compared.
 */
final class TableChanges private (
    session: SparkSession,
    table: Path,
    schema: StructType,
    id: String) {

  import TableChanges._

  private def apply(versions: Seq[VersionChanges]): LogicalPlan = {
    val whole = versions.collect { case Whole(files) => files }.flatten
    val selections = versions.collect { case one: Selected => one -> selected(one) }
    val unclear = versions.collect { case Rewritten(files) => files } ++
      selections.collect { case (one, None) => one.files }
    val parts = Option.when(whole.nonEmpty)(relation(whole, "whole files", Nil)) ++
      selections.flatMap(_._2) ++ Option.when(unclear.nonEmpty)(compared(unclear.flatten))
    parts.toSeq match {
      case Nil => LocalRelation(columns)
      case Seq(one) => one
      case several => Union(several)
    }
  }

  private def selected(one: Selected): Option[LogicalPlan] =
    RememberedSettings.selected(session, one.predicate, one.settings,
      relation(one.files, s"rows with ${one.predicate}", Nil))

  /** Where rows cannot be told apart, both states are returned. */
  private def compared(files: Seq[ChangedFile]): LogicalPlan = {
    val numbers = files.map(_.version).distinct.sorted.mkString(", ")
    val reason = Reason(ChangesReasons.FilesCompared, "versions" -> numbers)
    val rows = relation(files, "all rows, compared", Seq(reason))
    if (!schema.forall(field => toldApart(field.dataType))) rows
    else {
      val (keys, diff) = (rows.output.init, rows.output.last)
      val sum = Alias(Sum(diff).toAggregateExpression(), ChangedFiles.Diff)()
      val added = Aggregate(keys, keys :+ sum, rows)
      Filter(Not(EqualTo(sum.toAttribute, Literal(0L))), added)
    }
  }

  private def relation(
      files: Seq[ChangedFile],
      how: String,
      reasons: Seq[Reason]): LogicalRelation = {
    val index = new ChangedFiles(table, id, files, finding(how, reasons))
    val format = new ReadOnlyParquet(table, files.last.version)
    LogicalRelation(HadoopFsRelation(index, index.partitionSchema, schema, None, format,
      ReadOnlyParquet.Strict)(session))
  }

  /** "changes: file:/data/t, versions 4 to 5, whole files: 2 came, 0 went, 1,000 rows" */
  private def finding(how: String, reasons: Seq[Reason])(files: Seq[ChangedFile]): Finding = {
    val place = s"Scan $table"
    val versions = files.map(_.version).distinct.sorted
    val span = versions match {
      case Nil => "no version"
      case Seq(one) => s"version $one"
      case several => s"versions ${several.head} to ${several.last}"
    }
    val (come, went) = files.partition(_.diff > 0)
    val rows = String.format(Locale.ROOT, "%,d", Long.box(files.map(_.rows).sum))
    val text = s"changes: $table, $span, $how: ${come.length} files came, ${went.length} went," +
      s" $rows rows"
    reasons.headOption.fold(Finding.noted(ChangesReasons.Capability, "changes", place, text)) {
      Finding.kept(ChangesReasons.Capability, "changes", place, Nil, text, _)
    }
  }

  private def columns =
    DataTypeUtils.toAttributes(StructType(
        CharVarcharUtils.replaceCharVarcharWithStringInSchema(schema) ++ ChangedFiles.Columns))
}

object TableChanges {

  /**
   * @param since    the changes after this version, or [[LogChanges.Never]]
   * @param until    up to this version
   * @param contents the rows of the version `since` come first, as if they had come with it
   * @param added    names of columns that the caller adds
   * @throws ChangesNameTaken if the table has a column of such a name, or of one of changes
   */
  def apply(
      session: SparkSession,
      log: TableLog,
      since: Long,
      until: Long,
      contents: Boolean,
      added: Seq[String]): LogicalPlan = {
    val changes = LogChanges(log, since, until, contents)
    val last = changes.last
    val own = ChangedFiles.Columns.fieldNames ++ added
    val taken = last.schema.fieldNames.find(name => own.exists(_.equalsIgnoreCase(name)))
    taken.foreach(name => throw new ChangesNameTaken(log.path.toString, name))
    new TableChanges(session, log.path, last.schema, last.info.id)(changes.versions)
  }

  /** Whether grouping tells different values of a type apart; -0.0 and 0.0 are the same to SQL too. */
  private def toldApart(dataType: DataType): Boolean = dataType match {
    case text: StringType => UnsafeRowUtils.isBinaryStable(text)
    case array: ArrayType => toldApart(array.elementType)
    case struct: StructType => struct.forall(field => toldApart(field.dataType))
    case user: UserDefinedType[_] => toldApart(user.sqlType)
    case other => RowOrdering.isOrderable(other)
  }
}
