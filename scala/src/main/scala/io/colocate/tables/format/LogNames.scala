package io.colocate.tables.format

import java.util.{Locale, UUID}

/** The names of the files of a log. */
object LogNames {

  /** The folder of the log, inside the folder of the table. */
  val Folder: String = "_robust_log"

  /** The file that names the last checkpoint. */
  private[tables] val LastCheckpoint: String = "_last_checkpoint"

  private val Entry = """(\d{20})\.json""".r
  private val CheckpointFile = """(\d{20})\.checkpoint\.json\.gz""".r
  private val Temporary = """\..+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp""".r

  /** "00000000000000000012.json" */
  def entry(version: Long): String = s"${number(version)}.json"

  def checkpoint(version: Long): String = s"${number(version)}.checkpoint.json.gz"

  /** In the digits that the patterns above look for, regardless of the machine's locale. */
  private def number(version: Long): String = "%020d".formatLocal(Locale.ROOT, version)

  /** A unique name for a file that is written before it gets its final name. */
  private[tables] def temporary(name: String): String = s".$name.${UUID.randomUUID}.tmp"

  /** A file of the log which says that the files beside it belong to an unfinished first save. */
  private[tables] def claim(): String = temporary(Begun)

  private[tables] def isClaim(name: String): Boolean =
    isTemporary(name) && name.startsWith(s".$Begun.")

  private val Begun = "begun"

  /** True for a name that [[temporary]] makes. */
  private[tables] def isTemporary(name: String): Boolean = Temporary.matches(name)

  private[tables] def entries(names: Iterable[String]): Array[Long] =
    names.iterator.collect { case Entry(digits) => digits.toLong }.toArray.sorted

  private[tables] def checkpoints(names: Iterable[String]): Array[Long] =
    names.iterator.collect { case CheckpointFile(digits) => digits.toLong }.toArray.sorted
}
