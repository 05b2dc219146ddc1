package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

class RuleTimesSuite extends AnyFunSuite {

  private def seconds(rule: String): Double =
    RuleTimes.soFar.collectFirst { case (`rule`, _, seconds) => seconds }.getOrElse(0.0)

  test("what runs within a rule is not counted twice") {
    val began = System.nanoTime
    for (_ <- 1 to 2) RuleTimes.timed("outer test") {
      for (_ <- 1 to 2) RuleTimes.timed("inner test")(Thread.sleep(20))
    }
    val passed = (System.nanoTime - began) / 1e9
    assert(seconds("inner test") >= 0.08)
    assert(seconds("outer test") + seconds("inner test") <= passed)
  }

  test("a rule that fails is counted, and so is what comes after it") {
    intercept[IllegalStateException] {
      RuleTimes.timed("failing test") {
        RuleTimes.timed("failing within test")(throw new IllegalStateException)
      }
    }
    RuleTimes.timed("later test")(Thread.sleep(20))
    assert(RuleTimes.soFar.map(_._1).containsSlice(Seq("failing test", "failing within test")))
    assert(seconds("later test") >= 0.02)
  }
}
