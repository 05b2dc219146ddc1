package io.colocate.tables.queries

import java.util.Locale

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.ColocateConf

/** Whether the queries of a table are kept beside it, and whether it is adapted to them by itself. */
object AdaptMode {

  /** The option of a table. */
  val Name: String = "adapt"

  /** The default: this driver's queries are in its memory, and nothing is written. */
  val Off: String = "off"

  /** Queries are written to files beside the table. */
  val Record: String = "record"

  /** And the table is adapted to them, in sessions that allow it. */
  val Auto: String = "auto"

  val names: Seq[String] = Seq(Off, Record, Auto)

  def parse(text: String): Option[String] =
    names.find(_ == text.trim.toLowerCase(Locale.ROOT))

  def of(options: Map[String, String]): String =
    options.get(Name).flatMap(parse).getOrElse(Off)

  /** What writes the queries of a table, if its option and the session's setting both say so. */
  private[tables] def recorder(options: Map[String, String], conf: SQLConf): Option[QueryRecorder] =
    if (of(options) == Off || !ColocateConf.AdaptRecord(conf)) None
    else {
      val session = SparkSession.active.asInstanceOf[ClassicSession]
      Some(new QueryRecorder(session, conf.stringRedactionPattern))
    }
}
