package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{BooleanType, StringType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.rule.{BuildInfo, ColocateConf}

/** `SELECT * FROM colocate_version()` */
private[colocate] object VersionFunction
    extends ReportFunction("colocate_version", Nil,
      "_FUNC_() - The version of Colocate, the Spark that runs it, and whether it is switched on.",
      new StructType()
        .add("version", StringType, nullable = false)
        .add("spark", StringType, nullable = false)
        .add("enabled", BooleanType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] =
    Seq(Seq(BuildInfo.version, session.version, ColocateConf.Enabled(session.sessionState.conf)))
}
