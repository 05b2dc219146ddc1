package io.colocate.functions

import org.apache.spark.sql.catalyst.{FunctionIdentifier, InternalRow}
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, ExpressionInfo}
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LocalRelation, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.explain.PlanHistory

/**
 * A table function whose rows are known when the query is analysed, which makes it work alike in
 * classic and in Connect sessions: SQL in, rows out.
 *
 * @param parameters their names, in order
 * @param usage      what DESCRIBE FUNCTION says
 */
abstract private[colocate] class ReportFunction(
    val name: String,
    parameters: Seq[String],
    usage: String,
    schema: StructType) {

  /** The rows, in plain Scala values. */
  protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]]

  final def description: ReportFunction.Description = {
    val info = new ExpressionInfo(getClass.getName.stripSuffix("$"), null, name, usage, "", "", "",
      "", "", "", "")
    (FunctionIdentifier(name), info, build)
  }

  private def build(given_ : Seq[Expression]): LogicalPlan = {
    val arguments = new Arguments(name, parameters, given_)
    // We are inside the analyser, and plan other queries here from beginning to end.
    val found = AnalysisHelper.allowInvokingTransformsInAnalyzer {
      rows(SparkSession.active, arguments)
    }
    val output = schema.map(f => AttributeReference(f.name, f.dataType, f.nullable)())
    val relation = LocalRelation(output, found.map(row => InternalRow.fromSeq(row.map(internal))))
    relation.setTagValue(PlanHistory.Answer, name)
    relation
  }

  private def internal(value: Any): Any = value match {
    case text: String => UTF8String.fromString(text)
    case other => other
  }
}

private[colocate] object ReportFunction {

  /** What SparkSessionExtensions.injectTableFunction takes. */
  type Description = (FunctionIdentifier, ExpressionInfo, Seq[Expression] => LogicalPlan)
}
