package io.colocate.functions.call

import org.apache.spark.sql.catalyst.{FunctionIdentifier, InternalRow}
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression, ExpressionInfo}
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.explain.PlanHistory

/**
 * A table function. It works the same in classic and in Connect sessions: SQL in, rows out.
 *
 * @param parameters their names, in order
 * @param usage      the text of DESCRIBE FUNCTION
 */
abstract private[colocate] class TableFunction(
    val name: String,
    parameters: Seq[String],
    usage: String,
    private[functions] val schema: StructType) {

  /** The relation that replaces the call in the analysed query. */
  protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan

  final def description: TableFunction.Description = {
    val info = new ExpressionInfo(getClass.getName.stripSuffix("$"), null, name, usage, "", "", "",
      "", "", "", "")
    (FunctionIdentifier(name), info, build)
  }

  private def build(given_ : Seq[Expression]): LogicalPlan = {
    val arguments = new Arguments(name, parameters, given_)
    val output = schema.map(f => AttributeReference(f.name, f.dataType, f.nullable)())
    // This runs inside the analyser, and plans other queries from beginning to end.
    val made = AnalysisHelper.allowInvokingTransformsInAnalyzer {
      relation(SparkSession.active, arguments, output)
    }
    made.setTagValue(PlanHistory.Answer, name)
    made
  }
}

private[colocate] object TableFunction {

  /** What SparkSessionExtensions.injectTableFunction takes. */
  type Description = (FunctionIdentifier, ExpressionInfo, Seq[Expression] => LogicalPlan)

  /** Rows of plain Scala values in Spark's internal form. */
  private[functions] def internal(rows: Seq[Seq[Any]]): Seq[InternalRow] =
    rows.map(row =>
      InternalRow.fromSeq(row.map {
        case text: String => UTF8String.fromString(text)
        case other => other
      }))
}
