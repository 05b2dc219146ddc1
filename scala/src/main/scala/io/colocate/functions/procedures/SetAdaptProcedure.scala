package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.adapt.SetAdaptCall
import io.colocate.functions.call.Arguments

/** `CALL colocate.set_adapt('/data/t', 'record')` */
private[procedures] object SetAdaptProcedure
    extends Procedure("set_adapt", SetAdaptCall.parameters,
      "Sets the option adapt of a Colocate table: off, record or auto. The version is NULL if it had this mode.",
      SetAdaptCall.schema) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    SetAdaptCall(session, arguments)()
}
