package io.colocate.functions.tables

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.FileSourceScanLike

import io.colocate.explain.plan.PlanWalk
import io.colocate.explain.view.BeforeAfter
import io.colocate.functions.call.Arguments
import io.colocate.tables.scan.{PinnedFileIndex, PrunedScan}

/** Queries that are given as texts. They are planned, and not run. */
private[functions] object PlannedQueries {

  private val Accepted = "a JSON array of query texts"
  private val mapper = JsonMapper.builder().build()

  /** None if the argument was left out. */
  def texts(arguments: Arguments, name: String, accepted: String = Accepted): Option[Seq[String]] =
    arguments.text(name).map { text =>
      Try(mapper.readTree(text)).toOption.filter(_.isArray)
        .map(_.elements.asScala.map(_.asText).toSeq)
        .getOrElse(arguments.refuse(name, accepted))
    }

  def requiredTexts(arguments: Arguments, name: String, accepted: String = Accepted): Seq[String] =
    texts(arguments, name, accepted).getOrElse(arguments.refuse(name, accepted))

  /** The scans of a table, with the conditions that the optimiser pushes down to them. */
  def scans(session: SparkSession, query: String, table: String): Seq[PrunedScan] = {
    val plan =
      BeforeAfter.plan(session, session.sessionState.sqlParser.parsePlan(query)).executedPlan
    PlanWalk.all(plan).collect { case scan: FileSourceScanLike => scan.relation.location }
      .collect { case files: PinnedFileIndex => files.pruned }.flatten
      .filter(_.table == table)
  }
}
