package io.colocate.functions.advise

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, SubqueryAlias, View}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.CommandExecutionMode
import org.apache.spark.sql.execution.datasources.{BucketingUtils, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.colocate.advise.layouts.{StoredTable, TableLayout}
import io.colocate.functions.call.Arguments

/**
 * Proposals that a caller gives as JSON, in an argument called proposals. Each has a layout for some of the
 * tables:
 * {{{
 *   [[{"table": "shop.orders", "columns": ["o_id"], "buckets": 64}, ...], ...]
 * }}}
 */
final private[advise] class GivenProposals(session: SparkSession, arguments: Arguments) {
  import GivenProposals._

  private val conf = session.sessionState.conf

  def proposals: Seq[Seq[TableLayout]] =
    arguments.text("proposals").flatMap(text => Try(mapper.readTree(text)).toOption)
      .flatMap(elements).getOrElse(arguments.refuse("proposals", Accepted)).zipWithIndex
      .map { case (one, i) => proposal(one, s"proposals[$i]") }

  private def proposal(one: JsonNode, place: String): Seq[TableLayout] = {
    val layouts = elements(one).getOrElse(arguments.refusePart(place, shown(one), Accepted))
      .zipWithIndex.map { case (layout, i) => this.layout(layout, s"$place[$i]") }
    if (layouts.map(_.table).distinct.size < layouts.size) {
      arguments.refusePart(place, shown(one), "one layout for each table")
    }
    layouts
  }

  private def layout(one: JsonNode, place: String): TableLayout = {
    if (one.fieldNames.asScala.toSet != Fields) arguments.refusePart(place, shown(one), Accepted)
    val scan = table(one.get("table"), s"$place.table")
    TableLayout(StoredTable.of(scan).get, columns(scan, one.get("columns"), s"$place.columns"),
      buckets(one.get("buckets"), s"$place.buckets"))
  }

  private def table(given_ : JsonNode, place: String): LogicalRelation = {
    val parts = Try(session.sessionState.sqlParser.parseMultipartIdentifier(given_.textValue))
    parts.toOption.flatMap(name => Try(analyzed(UnresolvedRelation(name))).toOption).map(beneath)
      .collect { case scan: LogicalRelation if StoredTable.of(scan).nonEmpty => scan }
      .getOrElse(arguments.refusePart(place, shown(given_),
        "the name of a table of files, which is no Colocate table, or files as parquet.`/path`"))
  }

  private def columns(scan: LogicalRelation, given_ : JsonNode, place: String): Seq[String] = {
    val partitions = scan.relation match {
      case files: HadoopFsRelation => files.partitionSchema.fieldNames.toSeq
      case _ => Nil
    }
    val possible = scan.output.filter(column =>
      !partitions.contains(column.name) && canBucketOn(column.dataType))
    val found = elements(given_).toSeq.flatten.map(_.asText).map(name =>
      possible.find(column => conf.resolver(column.name, name)).map(_.name))
    if (found.isEmpty || found.exists(_.isEmpty) || found.distinct != found) {
      arguments.refusePart(place, shown(given_),
        s"one or more of ${possible.map(_.name).mkString(", ")}, each once")
    }
    found.flatten
  }

  private def buckets(given_ : JsonNode, place: String): Int = {
    if (!given_.isInt || given_.intValue < 1 || given_.intValue > conf.bucketingMaxBuckets) {
      arguments.refusePart(place, shown(given_),
        s"a whole number from 1 to ${conf.bucketingMaxBuckets}")
    }
    given_.intValue
  }

  private def analyzed(name: LogicalPlan): LogicalPlan = SQLConf.withExistingConf(conf) {
    session.sessionState.executePlan(name, CommandExecutionMode.SKIP).analyzed
  }
}

private object GivenProposals {

  private val Fields = Set("table", "columns", "buckets")

  private val Accepted =
    """a JSON array such as [[{"table": "shop.orders", "columns": ["id"], "buckets": 64}]]"""

  private val mapper = JsonMapper.builder().build()

  /** No query can join or group by a map. */
  private def canBucketOn(dataType: DataType): Boolean =
    RowOrdering.isOrderable(dataType) && BucketingUtils.canBucketOn(dataType)

  private def elements(node: JsonNode): Option[Seq[JsonNode]] =
    Option.when(node.isArray)(node.elements.asScala.toSeq)

  private def shown(node: JsonNode): String = node.toString

  /** A temporary view may do nothing but name files. */
  @tailrec
  private def beneath(plan: LogicalPlan): LogicalPlan = plan match {
    case alias: SubqueryAlias => beneath(alias.child)
    case view: View => beneath(view.child)
    case leaf => leaf
  }
}
