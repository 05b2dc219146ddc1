package io.colocate.hyperjoin.grouping

/** Between which values one column of a join key lies in a block. NULL, which joins nothing, aside. */
sealed trait KeyRange

object KeyRange {

  /** From `min` to `max`, both included, as they stand in an InternalRow; never NULL. */
  final case class Known(min: Any, max: Any) extends KeyRange

  /** It may hold anything. */
  case object Unknown extends KeyRange

  /** It holds NULL in every row. */
  case object Empty extends KeyRange
}

/** Where the join keys of a block lie: a range for each column of the key. */
final case class KeyBox(columns: IndexedSeq[KeyRange]) {

  /** False if no row can have a key without NULL. */
  def holdsKeys: Boolean = !columns.contains(KeyRange.Empty)
}

object KeyBox {
  def apply(columns: KeyRange*): KeyBox = KeyBox(columns.toIndexedSeq)
}
