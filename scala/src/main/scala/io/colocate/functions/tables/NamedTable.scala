package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StringType

import io.colocate.functions.call.{Arguments, Parameter}
import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.TableLocation
import io.colocate.tables.snapshot.Snapshot

/** A table that a user names by its path, or by its name in the catalog. */
private[colocate] object NamedTable {

  private val Accepted = "the path or the name of a table"

  /** A procedure's parameter. */
  val Argument: Parameter = Parameter("table", StringType, None, Accepted)

  def log(session: SparkSession, arguments: Arguments): TableLog = {
    val given_ = arguments.required("table", Accepted)
    TableLog.open(TableLocation(session, given_), session.sessionState.newHadoopConf(),
      ColocateConf.LayoutSingleWriter(session.sessionState.conf))
  }

  def snapshot(log: TableLog, arguments: Arguments): Snapshot =
    arguments.number("version", least = 0).fold(log.snapshot())(version =>
      log.snapshot(version.toLong))
}
