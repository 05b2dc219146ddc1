package io.colocate.tables.pruning

/** What is known of the rows of a file, or of those below a node of a tree. */
trait KnownRows {

  /** @param column its position in the table's schema */
  def bounds(column: Int): Bounds
}

/** A predicate compiled for checking many files; it no longer looks at expressions. */
trait Check {
  def apply(rows: KnownRows): Possible
}

private[tables] object Check {

  final class Always(outcome: Possible) extends Check {
    override def apply(rows: KnownRows): Possible = outcome
  }

  /** For a predicate that is not understood: any row may pass, any row may fail. */
  val Anything: Check = new Always(Possible.Anything)

  final class Both(left: Check, right: Check) extends Check {
    override def apply(rows: KnownRows): Possible = left(rows).and(right(rows))
  }

  final class Either(left: Check, right: Check) extends Check {
    override def apply(rows: KnownRows): Possible = left(rows).or(right(rows))
  }

  final class Negated(check: Check) extends Check {
    override def apply(rows: KnownRows): Possible = check(rows).not
  }
}
