package io.colocate.functions.procedures

import org.apache.spark.sql.connector.catalog.procedures.{BoundProcedure, ProcedureParameter, SimpleProcedure, UnboundProcedure}
import org.apache.spark.sql.types.StructType

import io.colocate.functions.call.Arguments

/** A procedure as Spark finds it by its name. */
final private[procedures] class UnboundCall(procedure: Procedure) extends UnboundProcedure {

  override def name: String = procedure.name

  override def description: String = procedure.usage

  /** Spark checks the names, too, but does not say which are accepted. */
  override def bind(given_ : StructType): BoundProcedure = {
    val keys = given_.map { field =>
      Option.when(field.metadata.contains(ProcedureParameter.BY_NAME_METADATA_KEY))(field.name)
    }
    val called = Arguments.called(procedure.fullName, procedure.parameters.map(_.name), keys)
    new BoundCall(procedure, called.zip(given_.map(_.dataType)).toMap)
  }

  /** Spark 4.2 describes the parameters of such a procedure alone. It would also call it before it is bound. */
  def described: UnboundProcedure = new BoundCall(procedure, Map.empty) with SimpleProcedure

  override def toString: String = procedure.fullName
}
