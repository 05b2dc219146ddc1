package io.colocate.functions.procedures

import org.apache.spark.sql.connector.catalog.{Identifier, ProcedureCatalog}
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * The catalog of our procedures. Sessions need no setting for it, as [[NameProcedures]] finds them. Where
 * Spark does not run that rule, a user may set `spark.sql.catalog.colocate` to this class.
 */
final class ColocateCatalog extends ProcedureCatalog {

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = ()

  override def name: String = Procedures.Catalog

  override def listProcedures(namespace: Array[String]): Array[Identifier] =
    if (namespace.isEmpty) Procedures.all.map(p => Identifier.of(namespace, p.name)).toArray
    else Array.empty

  override def loadProcedure(name: Identifier): UnboundProcedure =
    new UnboundCall(Procedures.named(name.namespace.toSeq :+ name.name))

  override def toString: String = name
}
