package io.colocate.functions.procedures

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.functions.tables.NamedTable
import io.colocate.tables.commit.Vacuum
import io.colocate.tables.operations.Transaction

/** `CALL colocate.vacuum('/data/t', 168)` */
private[procedures] object VacuumProcedure
    extends Procedure("vacuum",
      Seq(NamedTable.Argument,
        Parameter("retention_hours", DoubleType, Some("168"), "older versions cannot be read then"),
        Parameter("dry_run", BooleanType, Some("false"), "true to remove nothing")),
      "Removes the files of a Colocate table that no version within the retention needs. oldest_version is the" +
        " oldest that can be read afterwards.",
      new StructType()
        .add("oldest_version", LongType, nullable = false)
        .add("files", LongType, nullable = false)
        .add("bytes", LongType, nullable = false)) {

  override def apply(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val retention = arguments.text("retention_hours").fold(Vacuum.DefaultRetention)(text =>
      Vacuum.retention(text).getOrElse(arguments.refuse("retention_hours", Vacuum.AcceptedHours)))
    val dry = arguments.flag("dry_run").getOrElse(false)
    val report = new Transaction(session, log).vacuum(retention, dry)
    Seq(Seq(report.oldestVersion, report.orphans.length.toLong, report.bytes))
  }
}
