package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.Arguments
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.queries.AskedQueries

/** `CALL colocate.forget_queries('/data/t')` */
private[procedures] object ForgetQueriesProcedure
    extends Procedure("forget_queries", Seq(NamedTable.Argument),
      "Forgets the queries of a Colocate table, by which it is adapted, and removes their files.",
      new StructType().add("queries", LongType, nullable = false)) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val path = NamedTable.log(session, arguments).path
    val conf = session.sessionState.newHadoopConf()
    Seq(Seq(AskedQueries.forget(path, conf).queries.length.toLong))
  }
}
