package io.colocate.fuzz

import io.colocate.fuzz.shapes.ShapeCounts

/** What a run of the fuzzer saw; printed at its end. */
final class FuzzTally {
  var cases = 0

  /** Cases whose plan differed from Spark's in a shuffle. */
  var exercised = 0

  /** Cases of which explain() says that the exchange planner removed a shuffle. */
  var removed = 0
  val shapes = new ShapeCounts

  /** Cases that ran fewer shuffles, or more. */
  var fewer = 0
  var more = 0
  var shufflesOff = 0
  var shufflesOn = 0

  /** Cases that returned rows, and cases that ended in an error. */
  var withRows = 0
  var errors = 0

  /** Operators whose rows were looked up on real partitions. */
  var operatorsChecked = 0

  /** Cases in which Spark alone does not agree with itself. */
  var unstable = 0
  var failures: Seq[String] = Nil

  def share: Double = of(exercised)

  private def of(some: Int): Double = if (cases == 0) 0 else some.toDouble / cases
  private def percent(some: Int): String = s"$some (${(of(some) * 100).round} %)"

  def summary(seed: Long): String =
    s"""fuzz seed $seed: $cases cases, ${percent(exercised)} exercised a rewrite,
      |  from ${percent(removed)} the exchange planner removed a shuffle,
      |  $fewer with fewer shuffles, $more with more; shuffles $shufflesOff -> $shufflesOn
      |  $withRows returned rows, $errors an error; Spark alone unstable in $unstable
      |  $operatorsChecked operators checked on real partitions; ${failures.size} failures
      |${shapes.summary}""".stripMargin
}
