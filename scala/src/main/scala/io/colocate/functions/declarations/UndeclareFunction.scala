package io.colocate.functions.declarations

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, RowsLater, TableFunction}

/** `SELECT * FROM colocate_undeclare('orders', 'key o_orderkey')` */
private[colocate] object UndeclareFunction
    extends TableFunction("colocate_undeclare", Seq("table", "declaration"),
      "_FUNC_(table [, declaration]) - Takes back what colocate_declare has declared of a table: one" +
        " declaration, or all of them. The rows are those that were taken back.",
      DeclaredTable.schema) {

  /** The arguments are checked now; it is taken back when the query runs. */
  override protected def relation(
      session: SparkSession,
      arguments: Arguments,
      output: Seq[Attribute]): LogicalPlan = {
    val one = arguments.text("declaration").map(_ =>
      DeclaredTable.declaration(session, arguments, rely = false).text)
    RowsLater(output,
      () => {
        val kept = DeclaredTable.kept(session, arguments)
        val gone = kept.ofUsers.filter(s => one.forall(_ == s.declaration.text))
        if (gone.isEmpty && one.nonEmpty)
          arguments.refuse("declaration",
            kept.ofUsers.map(_.declaration.text).mkString("what was declared: ", "; ", ""))
        kept.remove(gone.map(_.declaration.text).toSet)
        TableFunction.internal(DeclaredTable.rows(session, kept.target.read, gone))
      })
  }
}
