package io.colocate.programs.lineage

/**
 * A relation that a program reads: a table, files, a cached frame, rows in memory. All scans of one relation
 * are one input, as its rows lie in one way.
 *
 * @param identity equal for all scans of the relation
 * @param made     true if it stands for what a loop hands to its next turn, and is no relation of the user's
 */
final class Input(val name: String, private val identity: Any, val made: Boolean = false) {

  override def equals(other: Any): Boolean = other match {
    case that: Input => identity == that.identity
    case _ => false
  }

  override def hashCode: Int = identity.hashCode

  override def toString: String = name
}
