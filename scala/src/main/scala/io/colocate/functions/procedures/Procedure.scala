package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.functions.call.{Arguments, Parameter}

/**
 * A procedure, `CALL colocate.name(...)`. It acts once, when the statement is executed.
 *
 * @param usage  the text of DESCRIBE PROCEDURE
 * @param schema the columns of its rows, which say what was done
 */
abstract private[procedures] class Procedure(
    val name: String,
    val parameters: Seq[Parameter],
    val usage: String,
    val schema: StructType) {

  /** Acts, and returns rows of plain Scala values. */
  def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]]

  /** The name in statements and in errors. */
  final def fullName: String = s"${Procedures.Catalog}.$name"
}
