package io.colocate.testing

import org.scalactic.source
import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuiteLike

/**
 * A suite whose tests ask the same of the same code, each with another query: every third of them
 * runs in `make test`, all at night. The first one, which shows what the suite is about, always runs.
 */
trait EveryThird extends EveryNth { override protected def every: Int = 3 }

/** So is this one, of fewer tests or cheaper ones: every other one runs in `make test`. */
trait EveryOther extends EveryNth { override protected def every: Int = 2 }

sealed trait EveryNth extends AnyFunSuiteLike {
  protected def every: Int

  private var registered = 0

  override protected def test(name: String, tags: Tag*)(body: => Any)(implicit
      pos: source.Position): Unit = {
    super.test(name, tags ++ Nightly.turn(registered, every): _*)(body)
    registered += 1
  }
}
