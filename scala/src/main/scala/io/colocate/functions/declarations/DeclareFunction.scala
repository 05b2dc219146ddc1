package io.colocate.functions.declarations

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_declare('orders', 'key o_orderkey', true)` */
private[colocate] object DeclareFunction
    extends TableFunction("colocate_declare", Seq("table", "declaration", "rely"),
      "_FUNC_(table, declaration [, rely]) - Declares a key or a dependency of a table: 'key a, b', 'unique a'" +
        " or 'a, b -> c'. With rely it may be used without being checked. A table of a catalog keeps it" +
        " in a property; for files and views the session keeps it.", DeclaredTable.schema) {

  /** The arguments are checked now; it is declared when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val rely = arguments.flag("rely").getOrElse(false)
    val declaration = DeclaredTable.declaration(session, arguments, rely)
    RowsLater(output,
      () => {
        DeclaredTable.kept(session, arguments).add(declaration)
        val now = DeclaredTable.kept(session, arguments)
        val made = now.ofUsers.filter(_.declaration == declaration)
        TableFunction.internal(DeclaredTable.rows(session, now.target.read, made))
      })
  }
}
