package io.colocate.functions.adapt

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.adapt.SetAdaptMode
import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.queries.AdaptMode

/** How SQL sets the option adapt of a table, by a table function or by a procedure. */
private[functions] object SetAdaptCall {

  private val accepted = AdaptMode.names.mkString(", ")

  val parameters: Seq[Parameter] =
    Seq(NamedTable.Argument, Parameter("mode", StringType, None, accepted))

  val schema: StructType = new StructType()
    .add("mode", StringType, nullable = false)
    .add("version", LongType, nullable = true)

  /** Checks the arguments now; the table is changed when the rows are asked for. */
  def apply(session: SparkSession, arguments: Arguments): () => Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val mode =
      arguments.oneOf("mode", AdaptMode.names).getOrElse(arguments.refuse("mode", accepted))
    () => Seq(Seq(mode, new SetAdaptMode(session, log)(mode).map(Long.box).orNull))
  }
}
