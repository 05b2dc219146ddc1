package io.colocate.functions.adapt

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.commit.TableLog
import io.colocate.tables.queries.{AskedJoin, AskedPredicate, AskedQueries, AskedQuery, KnownQueries}

/** `SELECT * FROM colocate_table_queries('/data/t')`: what has been read of it, the newest first. */
private[colocate] object TableQueriesFunction
    extends TableFunction("colocate_table_queries", Seq("table", "forget"),
      "_FUNC_(table[, forget]) - The newest queries of a Colocate table, by which colocate_adapt adapts it: when" +
        " they ran, on which version, with which filters, the rows of the files that these left to read, the" +
        " columns, the columns of other tables that it was joined by, and how many such queries ran within a minute. They are those of this driver, and those that" +
        " are stored beside the table, if its option adapt says so. A row with a note tells of files that cannot" +
        " be read or written. With forget => true all are forgotten, and the files removed.",
      new StructType()
        .add("time", TimestampType, nullable = true)
        .add("version", LongType, nullable = true)
        .add("filters", StringType, nullable = true)
        .add("rows", LongType, nullable = true)
        .add("columns", StringType, nullable = true)
        .add("joins", StringType, nullable = true)
        .add("count", IntegerType, nullable = true)
        .add("stored", BooleanType, nullable = true)
        .add("note", StringType, nullable = true)) {

  /** Files are read, and removed, when the query runs: it may be analysed more than once. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val log = NamedTable.log(session, arguments)
    val forget = arguments.flag("forget").contains(true)
    RowsLater(output, () => TableFunction.internal(rows(session, log, forget)))
  }

  private def rows(session: SparkSession, log: TableLog, forget: Boolean): Seq[Seq[Any]] = {
    val conf = session.sessionState.newHadoopConf()
    val known =
      if (forget) AskedQueries.forget(log.path, conf) else AskedQueries.of(log.path, conf)
    notes(known) ++ known.queries.reverse.map(row(_, known))
  }

  private def row(query: AskedQuery, known: KnownQueries): Seq[Any] =
    Seq(query.time * 1000, query.version,
      query.predicates.map(AskedPredicate.sql).mkString(" AND "), query.rows,
      query.columns.toSeq.sorted.mkString(", "), query.joins.map(shown).mkString("; "), query.count,
      known.stored(query.id), null)

  private def shown(join: AskedJoin): String =
    join.columns.zip(join.otherColumns).map { case (own, other) => s"$own = $other" }
      .mkString("", " AND ", s" of ${join.other}")

  private def notes(known: KnownQueries): Seq[Seq[Any]] = {
    val refused = known.refused.map(why =>
      s"Queries of this driver stay in memory, as no file can be written beside the table: $why")
    val damaged = known.damaged.map(file =>
      s"The file $file is damaged, or of a newer release of Colocate, and is passed over")
    (refused.toSeq ++ damaged).map(note => Seq.fill(8)(null) :+ note)
  }
}
