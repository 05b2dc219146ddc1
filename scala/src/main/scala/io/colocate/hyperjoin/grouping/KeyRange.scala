package io.colocate.hyperjoin.grouping

/** The range of one column of a join key in a block, apart from NULL, which joins nothing. */
sealed trait KeyRange

object KeyRange {

  /** From `min` to `max`, both included, as an InternalRow stores them; never NULL. */
  final case class Known(min: Any, max: Any) extends KeyRange

  /** The block may hold any value. */
  case object Unknown extends KeyRange

  /** The column is NULL in every row. */
  case object Empty extends KeyRange
}

/** The join keys of a block: a range for each column of the key. */
final case class KeyBox(columns: IndexedSeq[KeyRange]) {

  /** False if no row can have a key without NULL. */
  def holdsKeys: Boolean = !columns.contains(KeyRange.Empty)
}

object KeyBox {
  def apply(columns: KeyRange*): KeyBox = KeyBox(columns.toIndexedSeq)
}
