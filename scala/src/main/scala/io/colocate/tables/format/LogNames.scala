package io.colocate.tables.format

import java.util.{Locale, UUID}

/** How the files of a log are called. */
object LogNames {

  /** The folder of the log, in that of the table. */
  val Folder: String = "_robust_log"

  private val Entry = """(\d{20})\.json""".r
  private val CheckpointFile = """(\d{20})\.checkpoint\.json\.gz""".r
  private val Temporary = """\..+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp""".r

  /** "00000000000000000012.json" */
  def entry(version: Long): String = s"${number(version)}.json"

  def checkpoint(version: Long): String = s"${number(version)}.checkpoint.json.gz"

  /** In the digits that the patterns above look for, whatever those of the machine's language are. */
  private def number(version: Long): String = "%020d".formatLocal(Locale.ROOT, version)

  /** A name of its own for a file that is written before it gets its name. */
  private[tables] def temporary(name: String): String = s".$name.${UUID.randomUUID}.tmp"

  /** A file of the log that says: what lies beside it is of a first save that is not done. */
  private[tables] def claim(): String = temporary(Begun)

  private[tables] def isClaim(name: String): Boolean =
    isTemporary(name) && name.startsWith(s".$Begun.")

  private val Begun = "begun"

  /** Is it a name that [[temporary]] gives? */
  private[tables] def isTemporary(name: String): Boolean = Temporary.matches(name)

  private[tables] def entries(names: Iterable[String]): Array[Long] =
    names.iterator.collect { case Entry(digits) => digits.toLong }.toArray.sorted

  private[tables] def checkpoints(names: Iterable[String]): Array[Long] =
    names.iterator.collect { case CheckpointFile(digits) => digits.toLong }.toArray.sorted
}
