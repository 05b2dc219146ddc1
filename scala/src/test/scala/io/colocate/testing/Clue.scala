package io.colocate.testing

/** What a failed test tells, written down only then: a plan as a text takes longer than many a query. */
final class Clue(text: => String) {
  override def toString: String = text
}
