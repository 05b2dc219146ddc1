package io.colocate.tables.sql

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.analysis.{RelationChanges, UnresolvedRelation}
import org.apache.spark.sql.catalyst.expressions.{Abs, Alias, Attribute, Expression, GreaterThan, If, Literal, ReplicateRows}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Generate, LogicalPlan, Project, SubqueryAlias}
import org.apache.spark.sql.connector.catalog.ChangelogContext
import org.apache.spark.sql.connector.catalog.ChangelogContext.DeduplicationMode
import org.apache.spark.sql.connector.catalog.ChangelogRange.{TimestampRange, UnboundedRange, VersionRange}

import io.colocate.rule.PlanRule
import io.colocate.tables.commit.TableLog
import io.colocate.tables.feed.{ChangedFiles, LogChanges, TableChanges}
import io.colocate.tables.format.{InvalidOption, NotSupported}

/**
 * The changes of a table in SQL, as Spark's grammar has them: its columns, `_change_type`,
 * `_commit_version` and `_commit_timestamp`.
 *
 * {{{
 *   orders CHANGES FROM VERSION 3 TO VERSION 7  =>  Project [..., if(__diff > 0, insert, delete)]
 *                                                   +- the changes of versions 3 to 7
 * }}}
 *
 * Runs among the hint rules, as [[VersionAsOf]]: Spark would refuse a table of its session catalog.
 * Tables of other formats, views, unknown names and streams are left to Spark.
 *
 * Counter-example: `deduplicationMode = netChanges` needs to know which row became which; a table has no
 * identity of rows, so it is refused.
 */
final case class ChangesOf(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  private def classicSession = session.asInstanceOf[classic.SparkSession]

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case changes @ RelationChanges(relation: UnresolvedRelation, context)
        if !relation.isStreaming =>
      QueriedTable.of(classicSession, relation).fold[LogicalPlan](changes) { table =>
        ChangesClause.check(PathTables.options(relation))
        val log = ColocateSource.open(classicSession, table.options)
        SubqueryAlias(table.name.getOrElse(relation.multipartIdentifier), read(log, context))
      }
  }

  private def read(log: TableLog, context: ChangelogContext): LogicalPlan = {
    if (context.computeUpdates)
      refuse("computeUpdates = true", "deletes and inserts")
    if (context.deduplicationMode == DeduplicationMode.NET_CHANGES)
      refuse("deduplicationMode = netChanges",
        "dropCarryovers, or GROUP BY the columns of the table")
    val (since, until) = ChangesClause.versions(log, context)
    val changes = TableChanges(classicSession, log, since, until, contents = false,
      Seq(ChangesClause.ChangeType))
    asRows(changes)
  }

  private def refuse(what: String, instead: String) =
    throw new NotSupported(s"CHANGES with $what", instead)

  /** Each row as often as its diff says. */
  private def asRows(changes: LogicalPlan): LogicalPlan = {
    val diff = changes.output.find(_.name == ChangedFiles.Diff).get
    val (own, columns) =
      changes.output.filter(_ != diff).partition(a => ChangesClause.Commit.contains(a.name))
    val kind = Alias(If(GreaterThan(diff, Literal(0L)), Literal("insert"), Literal("delete")),
      ChangesClause.ChangeType)()
    val typed = Project(columns ++ Seq(kind) ++ own :+ diff, changes)
    val rows: Seq[Attribute] = typed.output.init
    // Rows that were counted are in one row.
    val counted = changes.exists(_.isInstanceOf[Aggregate])
    if (counted) repeated(typed, Abs(diff), rows) else Project(rows, typed)
  }

  private def repeated(plan: LogicalPlan, times: Expression, rows: Seq[Attribute]): LogicalPlan = {
    val output = rows.map(_.newInstance())
    Project(output,
      Generate(ReplicateRows(times +: rows), plan.output.indices, outer = false, None, output,
        plan))
  }
}

private object ChangesClause {

  val ChangeType = "_change_type"
  val Commit: Set[String] = Set(ChangedFiles.Version, ChangedFiles.Timestamp)

  /** Spark's own names; what is none of them it would not notice. */
  private val options = Seq("startingVersion", "endingVersion", "startingTimestamp",
    "endingTimestamp", "startingBoundInclusive", "endingBoundInclusive", "deduplicationMode",
    "computeUpdates")

  def check(asked: Map[String, String]): Unit =
    asked.find { case (name, _) => !options.exists(_.equalsIgnoreCase(name)) }.foreach {
      case (name, value) =>
        throw new InvalidOption(name, value,
          s"for changes, options named ${options.mkString(", ")}")
    }

  /** After which version, and up to which one. */
  def versions(log: TableLog, context: ChangelogContext): (Long, Long) = context.range match {
    case range: VersionRange =>
      val from = number("FROM VERSION", range.startingVersion)
      val to =
        range.endingVersion.map[Long](number("TO VERSION", _)).orElseGet(() => log.latestVersion)
      (if (range.startingBoundInclusive) from - 1 else from,
        if (range.endingBoundInclusive) to else to - 1)
    case range: TimestampRange =>
      // The last version before a time in microseconds, or at it.
      def last(micros: Long, atIt: Boolean) =
        log.lastAt(Math.floorDiv(if (atIt) micros else micros - 1, 1000L))
      val until = range.endingTimestamp.map[Long](last(_, range.endingBoundInclusive)).orElseGet(
        () => log.latestVersion)
      (last(range.startingTimestamp, !range.startingBoundInclusive), until)
    case _: UnboundedRange => (LogChanges.Never, log.latestVersion)
  }

  private def number(clause: String, text: String): Long = text.trim.toLongOption.getOrElse(
    throw new InvalidOption(clause, text, "the number of a version"))
}
