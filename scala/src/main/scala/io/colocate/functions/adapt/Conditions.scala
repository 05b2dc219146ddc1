package io.colocate.functions.adapt

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.functions.call.Arguments
import io.colocate.tables.queries.AskedQuery

/**
 * Conditions on a table's columns as queries that ask for them, resolved and optimised as filters of a
 * query are. Equal texts are resolved once.
 */
final private[adapt] class Conditions(
    session: SparkSession,
    schema: StructType,
    arguments: Arguments) {

  // Not a local relation, which the optimiser would filter at once.
  private lazy val rows = session.createDataFrame(session.sparkContext.emptyRDD[Row], schema)
  private val known = mutable.HashMap.empty[String, Seq[Expression]]

  def apply(argument: String, texts: Seq[String]): Seq[AskedQuery] =
    texts.zipWithIndex.map { case (text, i) =>
      AskedQuery(0, 0, known.getOrElseUpdate(text, filters(argument, text)), 0, Set.empty, 1,
        AskedQuery.Id(argument, i.toLong))
    }

  private def filters(argument: String, text: String): Seq[Expression] =
    try
      rows.where(text).queryExecution.optimizedPlan
        .collect { case filter: Filter => filter.condition }
    catch {
      case NonFatal(_) =>
        arguments.refuse(argument, s"conditions on the table's columns; '$text' is none")
    }
}
