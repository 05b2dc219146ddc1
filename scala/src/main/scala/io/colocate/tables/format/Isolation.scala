package io.colocate.tables.format

/** What a commit depends on in the version that it read, and so what must not change meanwhile. */
sealed trait Isolation

object Isolation {

  /** Adds rows, independently of the rows in the table. */
  case object Append extends Isolation

  /** Puts the same rows into other files. */
  case object Layout extends Isolation

  /**
   * Writes rows that replace others, or depend on them.
   *
   * @param reads true for a file whose rows would have changed the result; by default all files
   */
  final case class Overwrite(reads: FileAdded => Boolean = _ => true) extends Isolation
}
