package io.colocate.functions.tables

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, TableFunction}
import io.colocate.tables.feed.{ChangedFiles, ChangeRange, TableChanges}

/**
 * `SELECT * FROM colocate_table_changes('/data/t', since => 3)`: its changes as `colocate.changes` takes
 * them. Its columns are those of the table, and the ones that the schema here names.
 */
private[colocate] object TableChangesFunction
    extends TableFunction("colocate_table_changes", Seq("table", "since", "until", "contents"),
      "_FUNC_(table, since, until, contents) - The changes of a Colocate table, given by path or name, after the" +
        " version or time `since` and up to `until`: its columns, __time (the version) and __diff (how" +
        " many more of the row there are from then on). With contents => true the rows that the version" +
        " `since` has come first; without `since` it is the oldest version that can be read, with its rows.",
      new StructType()
        .add("__time", LongType, nullable = false)
        .add("__diff", LongType, nullable = false)) {

  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val log = NamedTable.log(session, arguments)
    val conf = session.sessionState.conf
    val since = arguments.text("since")
    val contents = arguments.flag("contents")
    if (since.isEmpty && contents.contains(false)) arguments.refuse("contents", "true, or since")
    val range =
      ChangeRange(log, since, arguments.text("until"), contents.contains(true), conf)
    val changes =
      TableChanges(session, log, range.since, range.until, range.contents, schema.fieldNames.toSeq)
    Project(columns(changes.output), changes)
  }

  private def columns(changes: Seq[Attribute]) = changes.flatMap { column =>
    column.name match {
      case ChangedFiles.Version => Some(Alias(column, "__time")())
      case ChangedFiles.Timestamp => None
      case _ => Some(column)
    }
  }
}
