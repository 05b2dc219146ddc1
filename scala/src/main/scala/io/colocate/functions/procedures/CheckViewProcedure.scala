package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.changes.view.CheckView
import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable

/** `CALL colocate.check_view('revenue')` */
private[procedures] object CheckViewProcedure
    extends Procedure("check_view",
      Seq(NamedTable.Argument,
        Parameter("most", IntegerType, Some("20"), "rows that differ, to return")),
      "Compares a maintained view with its query, computed anew by Spark alone over the versions that the view" +
        " stands for. No row means that they are equal; otherwise each row comes with how many more of it the" +
        " view has, or fewer.",
      new StructType()
        .add("row", StringType, nullable = false)
        .add("more", LongType, nullable = false)) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val most = arguments.number("most", least = 1).getOrElse(20)
    new CheckView(session, NamedTable.log(session, arguments))(most).map { case (row, more) =>
      Seq(row, more)
    }
  }
}
