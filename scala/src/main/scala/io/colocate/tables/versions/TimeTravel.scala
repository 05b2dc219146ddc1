package io.colocate.tables.versions

import org.apache.spark.sql.catalyst.util.{CaseInsensitiveMap, DateTimeUtils}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.InvalidOption
import io.colocate.tables.snapshot.Snapshot

/** The options `version` and `timestamp` of a read. */
object TimeTravel {

  val Version: String = "version"
  val Timestamp: String = "timestamp"

  /** The version that a query reads: the one that its options ask for, or the newest. */
  def snapshot(log: TableLog, options: Map[String, String], conf: SQLConf): Snapshot =
    asked(log, options, conf).fold(log.snapshot())(log.snapshot(_))

  /** The options among these that choose a version. */
  def among(options: Map[String, String]): Map[String, String] = {
    val given_ = CaseInsensitiveMap(options)
    Seq(Version, Timestamp).flatMap(name => given_.get(name).map(name -> _)).toMap
  }

  private def asked(log: TableLog, options: Map[String, String], conf: SQLConf): Option[Long] = {
    val given_ = CaseInsensitiveMap(options)
    val version = given_.get(Version).map(text =>
      text.trim.toLongOption.getOrElse(throw new InvalidOption(Version, text,
        "the number of a version")))
    val timestamp = given_.get(Timestamp)
    if (version.nonEmpty && timestamp.nonEmpty)
      throw new InvalidOption(Timestamp, given_(Timestamp), s"either it or $Version")
    version.orElse(timestamp.map(at(log, Timestamp, _, conf)))
  }

  /**
   * A version, or the one that was the newest at a time.
   *
   * @param name of the argument, for errors
   */
  private[tables] def version(log: TableLog, name: String, text: String, conf: SQLConf): Long =
    text.trim.toLongOption.getOrElse(at(log, name, text, conf,
      "the number of a version, or a time "))

  private def at(
      log: TableLog,
      name: String,
      text: String,
      conf: SQLConf,
      accepted: String = ""): Long = {
    val zone = DateTimeUtils.getZoneId(conf.sessionLocalTimeZone)
    val micros = DateTimeUtils.stringToTimestamp(UTF8String.fromString(text.trim), zone)
      .getOrElse(throw new InvalidOption(name, text, s"${accepted}such as 2026-11-22 10:30:00"))
    log.versionAt(Math.floorDiv(micros, 1000L))
  }
}
