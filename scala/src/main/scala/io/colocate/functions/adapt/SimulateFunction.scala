package io.colocate.functions.adapt

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.SimulateAdapt
import io.colocate.adapt.simulate.Followed
import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.queries.AskedQueries

/** `SELECT * FROM colocate_adapt_simulate('/data/t', '["a < 5"]')`: what following these queries would do. */
private[colocate] object SimulateFunction
    extends TableFunction("colocate_adapt_simulate",
      Seq("table", "queries", "alike", "worst", "ways", "write_cost", "budget", "every", "rows",
        "sample", "seed"),
      "_FUNC_(table[, queries][, ...]) - Replays queries over rows of a Colocate table in memory, by several" +
        " ways to adapt it to them, and tells what each query reads and what is rewritten after it. queries" +
        " is a JSON array of conditions on its columns, as colocate_table_queries shows them; without it," +
        " the queries are those that this driver has run. Nothing is run or written, but rows of the table are" +
        " read once, 200000 by default; a planner sees the first 20000 of them, or sample. alike is a JSON array of" +
        " arrays, of other such conditions for each phase: then it is told what somebody could do who knows" +
        " these. With worst => n the worst of queries for the table as it lies is asked, n times. ways is a JSON" +
        " array of the ways' names, every after how many queries a planner is asked, 2 by default.",
      new StructType()
        .add("way", StringType, nullable = false)
        .add("query", IntegerType, nullable = false)
        .add("rows_read", LongType, nullable = false)
        .add("rows_rewritten", LongType, nullable = false)
        .add("rows_read_unchanged", LongType, nullable = false)) {

  private val DefaultRows = 200000
  private val DefaultSample = 20000

  /** The arguments are checked now; the table is read when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val log = NamedTable.log(session, arguments)
    val conditions = new Conditions(session, log.snapshot().schema, arguments)
    val queries = texts(arguments, "queries", "a JSON array of conditions")
      .fold(AskedQueries.of(log.path, session.sessionState.newHadoopConf()).queries)(
        conditions("queries", _))
    val alike = lists(arguments).map(conditions("alike", _))
    val worst = arguments.number("worst", least = 1)
    val simulate = new SimulateAdapt(session, log, AdaptArguments(arguments),
      arguments.number("rows", least = 1).getOrElse(DefaultRows),
      arguments.number("sample", least = 1).getOrElse(DefaultSample),
      arguments.number("every", least = 1).getOrElse(2),
      texts(arguments, "ways", "a JSON array of names").fold(Set.empty[String])(_.toSet))
    RowsLater(output,
      () =>
        TableFunction.internal(worst.fold(simulate.replayed(queries, alike))(simulate.worst(queries,
          _)).flatMap(rows)))
  }

  private def rows(way: Followed): Seq[Seq[Any]] = way.read.indices.map { at =>
    Seq(way.name, at + 1, way.read(at), way.rewritten(at), way.unchanged(at))
  }

  private def texts(arguments: Arguments, name: String, accepted: String): Option[Seq[String]] =
    array(arguments, name, accepted).map(_.map(_.asText))

  private def lists(arguments: Arguments): Seq[Seq[String]] =
    array(arguments, "alike", "a JSON array of arrays of conditions").getOrElse(Nil)
      .map(_.elements.asScala.map(_.asText).toSeq)

  private def array(arguments: Arguments, name: String, accepted: String): Option[Seq[JsonNode]] =
    arguments.text(name).map { text =>
      Try(mapper.readTree(text)).toOption.filter(_.isArray)
        .map(_.elements.asScala.toSeq).getOrElse(arguments.refuse(name, accepted))
    }

  private val mapper = JsonMapper.builder().build()
}
