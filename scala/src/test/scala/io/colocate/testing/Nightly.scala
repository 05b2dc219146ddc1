package io.colocate.testing

import org.scalatest.Tag

/**
 * What is left to `make nightly`: combinations of things that each are in `make test` already, in other
 * combinations, and larger counts of the same.
 */
object Nightly {

  val on: Boolean = sys.env.contains("COLOCATE_NIGHTLY")

  /** All of them at night, else every other one, from the first or the second on as it is their turn. */
  def half[T](of: Seq[T], turn: Int): Seq[T] = part(of, 2, turn)

  /** All of them at night, else each `every`-th, where the turn begins. */
  def part[T](of: Seq[T], every: Int, turn: Int = 0): Seq[T] =
    if (on) of else of.zipWithIndex.collect { case (one, i) if (i + turn) % every == 0 => one }

  /** So many at night, else so few. */
  def count(night: Int, day: Int): Int = if (on) night else day

  /** The tags of one of many tests that are alike: each `every`-th runs in `make test`, all at night. */
  def turn(number: Int, every: Int): Seq[Tag] = if (number % every == 0) Nil else Seq(AtNight)
}

/** The build leaves out what carries it, but at night. */
object AtNight extends Tag("io.colocate.testing.AtNight")
