package io.colocate.functions.adapt

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_set_adapt('/data/t', 'record')`: whether the queries of a table are kept. */
private[colocate] object SetAdaptFunction
    extends TableFunction("colocate_set_adapt", SetAdaptCall.parameters.map(_.name),
      "_FUNC_(table, mode) - Sets the option adapt of a Colocate table. off: queries are in the memory of their" +
        " driver alone. record: they are written to small files beside the table, so that colocate_adapt knows" +
        " those of all drivers. auto: the table is adapted to them as well, by sessions with" +
        " spark.colocate.adapt.background. The version is NULL if the table had this mode already.",
      SetAdaptCall.schema) {

  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val rows = SetAdaptCall(session, arguments)
    RowsLater(output, () => TableFunction.internal(rows()))
  }
}
