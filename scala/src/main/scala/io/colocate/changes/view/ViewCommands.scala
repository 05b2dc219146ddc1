package io.colocate.changes.view

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.analysis.ResolvedIdentifier
import org.apache.spark.sql.catalyst.plans.logical.{CreateMaterializedViewAsSelect, LogicalPlan}

import io.colocate.rule.PlanRule
import io.colocate.tables.operations.{TableOptions, WriteOptions}
import io.colocate.tables.sql.ColocateSource

/**
 * Creates materialized views that name our format. Spark parses the statement, and executes it within a
 * pipeline alone.
 *
 * {{{
 *   CREATE MATERIALIZED VIEW revenue USING colocate AS SELECT ...  =>  CreateView revenue
 * }}}
 *
 * Counter-example: a view with another format, or with none, which keeps Spark's own message.
 */
final case class ViewCommands() extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case create @ CreateMaterializedViewAsSelect(ResolvedIdentifier(catalog, name), _, _, spec, _,
          _, _)
        if spec.provider.exists(_.equalsIgnoreCase(ColocateSource.ShortName)) &&
          catalog.name == "spark_catalog" =>
      refuseClauses(create)
      val (options, others) = spec.properties.partition { case (key, _) => ofLayout(key) }
      val (policy, properties) =
        others.partition { case (key, _) => key.equalsIgnoreCase(Policy.Key) }
      properties.keys.find(WriteOptions.isKnown).foreach(key =>
        throw new ViewClause(s"The property $key", "properties of the layout, such as joinKey"))
      CreateView(TableIdentifier(name.name, name.namespace.lastOption), create.originalText.trim,
        Policy.of(policy.values.headOption.getOrElse(Policy.Incremental)), options, properties,
        spec.comment, create.ifNotExists)
    case other => other
  }

  private def refuseClauses(create: CreateMaterializedViewAsSelect): Unit = {
    if (create.columns.nonEmpty)
      throw new ViewClause("A list of columns", "names in the query, as SELECT a AS b")
    if (create.partitioning.nonEmpty)
      throw new ViewClause("PARTITIONED BY or CLUSTER BY",
        "TBLPROPERTIES (joinKey, columns, weights), which say how the tree cuts")
    if (create.tableSpec.collation.nonEmpty)
      throw new ViewClause("DEFAULT COLLATION", "collations of columns in the query")
  }

  /** A refresh changes the one copy of the rows. */
  private def ofLayout(key: String): Boolean =
    TableOptions.names.exists(_.equalsIgnoreCase(key)) &&
      !key.equalsIgnoreCase(TableOptions.Replicas)
}
