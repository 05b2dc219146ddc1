package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.Arguments
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.scan.AskedQueries

/** `CALL colocate.forget_queries('/data/t')` */
private[procedures] object ForgetQueriesProcedure
    extends Procedure("forget_queries", Seq(NamedTable.Argument),
      "Forgets the queries that this driver has run on a Colocate table, by which it is adapted.",
      new StructType().add("queries", LongType, nullable = false)) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val path = NamedTable.log(session, arguments).path
    val there = AskedQueries.of(path).length.toLong
    AskedQueries.forget(path)
    Seq(Seq(there))
  }
}
