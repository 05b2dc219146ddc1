package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.adapt.AdaptCall
import io.colocate.functions.call.Arguments

/** `CALL colocate.adapt('/data/t', budget => 0.1)` */
private[procedures] object AdaptProcedure
    extends Procedure("adapt", AdaptCall.parameters,
      "Writes a part of a Colocate table anew, for the queries that this driver has run on it, where that pays.",
      AdaptCall.schema) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    AdaptCall(session, arguments)()
}
