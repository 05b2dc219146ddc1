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

  private val Accepted: Map[String, String] =
    Map(Timestamp -> "such as 2026-11-22 10:30:00")
      .withDefaultValue("the number of a version, or a time such as 2026-11-22 10:30:00")

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
    version.orElse(timestamp.map(versionAt(log, Timestamp, _, conf)))
  }

  /**
   * The version that was the newest at a time.
   *
   * @param option the name of the option or argument, for errors
   */
  private[tables] def versionAt(log: TableLog, option: String, text: String, conf: SQLConf): Long =
    log.versionAt(millis(option, text, conf))

  private def millis(option: String, text: String, conf: SQLConf): Long = {
    val zone = DateTimeUtils.getZoneId(conf.sessionLocalTimeZone)
    DateTimeUtils.stringToTimestamp(UTF8String.fromString(text.trim), zone)
      .map(Math.floorDiv(_, 1000L))
      .getOrElse(throw new InvalidOption(option, text, Accepted(option)))
  }
}
