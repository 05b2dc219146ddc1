package io.colocate.testing

/**
 * What is left to `make nightly`: combinations of things that each are in `make test` already, in other
 * combinations.
 */
object Nightly {

  val on: Boolean = sys.env.contains("COLOCATE_NIGHTLY")

  /** All of them at night, else every other one, from the first or the second on as it is their turn. */
  def half[T](of: Seq[T], turn: Int): Seq[T] =
    if (on) of else of.zipWithIndex.collect { case (one, i) if (i + turn) % 2 == 0 => one }
}
