package io.colocate.tables.format

/** What a commit took from the version that it read, and so what may not change under it. */
sealed trait Isolation

object Isolation {

  /** New rows, whatever else is in the table. */
  case object Append extends Isolation

  /** The same rows in other files. */
  case object Layout extends Isolation

  /**
   * Rows that replace others, or depend on them.
   *
   * @param reads true for a file whose rows would have mattered; all files, if it is left out
   */
  final case class Overwrite(reads: FileAdded => Boolean = _ => true) extends Isolation
}
