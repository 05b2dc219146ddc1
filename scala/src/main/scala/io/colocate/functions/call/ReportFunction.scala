package io.colocate.functions.call

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

/** A table function whose rows are known when the query is analysed. */
abstract private[colocate] class ReportFunction(
    name: String,
    parameters: Seq[String],
    usage: String,
    schema: StructType)
    extends TableFunction(name, parameters, usage, schema) {

  /** The rows, as plain Scala values. No job runs for them. */
  protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]]

  final override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan =
    LocalRelation(output, TableFunction.internal(rows(session, arguments)))
}
