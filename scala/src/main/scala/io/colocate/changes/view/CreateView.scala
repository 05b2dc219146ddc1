package io.colocate.changes.view

import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable, CatalogTableType, CatalogUtils}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.command.LeafRunnableCommand

import io.colocate.changes.differentiate.Operators
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.Maintained
import io.colocate.tables.operations.{TableWriter, WriteOptions}
import io.colocate.tables.sql.ColocateSource
import io.colocate.tables.write.RowSource

/**
 * CREATE MATERIALIZED VIEW ... USING colocate AS SELECT: a robust table with the rows of the query, whose
 * log says which query they are of, and of which versions of its sources.
 *
 * @param options    of the table's layout
 * @param properties of the entry in the catalog
 */
final private[view] case class CreateView(
    name: TableIdentifier,
    query: String,
    policy: String,
    options: Map[String, String],
    properties: Map[String, String],
    comment: Option[String],
    ifNotExists: Boolean)
    extends LeafRunnableCommand {

  override def run(spark: org.apache.spark.sql.SparkSession): Seq[Row] = {
    val session = spark.asInstanceOf[SparkSession]
    val catalog = session.sessionState.catalog
    if (!catalog.tableExists(name)) create(session)
    else if (!ifNotExists)
      throw new AnalysisException("TABLE_OR_VIEW_ALREADY_EXISTS",
        Map("relationName" -> name.quotedString))
    Nil
  }

  private def create(session: SparkSession): Unit = {
    val settings = ViewSession.settings(session)
    val definition = Definition(session, query, settings)
    val own = definition.session
    ViewSession.in(own) {
      val problems = Refresh.problems(definition)
      if (problems.nonEmpty && !Policy.takesAll(policy))
        throw new NotMaintainable(s"The query of ${name.quotedString}", policy, problems)
      val sources = Sources.versions(definition.plan)
      val view = Maintained(query, policy, settings, definition.digest, sources)
      val plan = Sources.at(own, definition.plan, sources)
      val log = open(session)
      new TableWriter(own, log).create(RowSource.of(own, own.sessionState.executePlan(plan)),
        options, Some(view))
      register(session, log)
    }
  }

  private def open(session: SparkSession): TableLog = {
    val path = session.sessionState.catalog.defaultTablePath(name)
    ColocateSource.open(session, Map(WriteOptions.Path -> CatalogUtils.URIToString(path)))
  }

  private def register(session: SparkSession, log: TableLog): Unit = {
    val storage = CatalogStorageFormat.empty.copy(properties = options)
    session.sessionState.catalog.createTable(CatalogTable(name, CatalogTableType.MANAGED, storage,
      log.snapshot().schema, provider = Some(ColocateSource.ShortName), properties = properties,
      comment = comment), ignoreIfExists = false, validateLocation = false)
  }

  /** What EXPLAIN prints: how each operator will be maintained, or why not. Spark asks for it several times. */
  @transient private lazy val told: String = {
    val session = SparkSession.active
    val definition = Definition(session, query, ViewSession.settings(session))
    val lines = Operators.of(definition.plan).map { verdict =>
      s"${verdict.operator}: ${verdict.how.getOrElse(verdict.reason.mkString)}"
    } ++ Sources.problems(definition.plan).map(_.toString)
    s"CreateColocateView ${name.quotedString}, $policy\n  ${lines.mkString("\n  ")}"
  }

  override def simpleString(maxFields: Int): String = told
}
