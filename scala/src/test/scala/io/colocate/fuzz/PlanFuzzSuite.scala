package io.colocate.fuzz

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.exchange.ValidateRequirements

import io.colocate.testing._

/**
 * Random plans, Spark alone against Colocate: the same rows (or the same error), Spark's own
 * requirements met, rows on real partitions where the plan says they are. A failing case is cut down
 * to the smallest of its relations that still fails, and left as a script of plain SQL in the folder
 * `fuzz` below the tests' working directory.
 *
 * The slice that `make test` runs, hours of it, and one case again:
 * {{{
 *   build/sbt "scala/testOnly *PlanFuzzSuite"
 *   make fuzz SEED=7 MINUTES=120
 *   COLOCATE_FUZZ_SEED=7 COLOCATE_FUZZ_CASE=1234 build/sbt "scala/testOnly *PlanFuzzSuite"
 * }}}
 */
class PlanFuzzSuite extends AnyFunSuite with ColocateTestSession {

  private def env(name: String): Option[String] =
    sys.env.get(s"COLOCATE_FUZZ_$name").filter(_.nonEmpty)

  private val seed = env("SEED").fold(20240607L)(_.toLong)
  private val minutes = env("MINUTES").map(_.toDouble)
  private val single = env("CASE").map(_.toInt)

  /** Cases of the slice, and the share of them that must have exercised the planner. */
  private val SliceCases = 60
  private val LeastShare = 0.3

  private val tally = new FuzzTally
  private var world: Option[Long] = None

  test(s"random plans return the same rows, seed $seed") {
    val end = System.nanoTime + (minutes.getOrElse(0.0) * 60e9).toLong
    val numbers = single.map(Iterator.single).getOrElse(Iterator.from(0))
    numbers.takeWhile(n =>
      single.nonEmpty ||
        (if (minutes.isEmpty) n < SliceCases else System.nanoTime < end)).foreach(runCase)
    info(tally.summary(seed))
    assert(tally.failures.isEmpty, tally.failures.mkString("\n\n"))
    assert(tally.unstable * 20 <= tally.cases, "the queries are not determined")
    assert(tally.errors * 10 <= tally.cases, "too many queries fail")
    assumeExtension()
    if (single.isEmpty) assert(tally.share >= LeastShare, "too few cases exercised the planner")
  }

  private def runCase(number: Int): Unit = {
    val fuzz = FuzzCase(seed, number)
    makeTables(fuzz.worldSeed)
    tally.cases += 1
    if (tally.cases % 200 == 0) info(tally.summary(seed))
    check(fuzz, fuzz.query, Some(tally)).foreach { failure =>
      val smallest = fuzz.query.smaller.take(60).iterator.flatMap { q =>
        check(fuzz, q, None).filter(_.kind == failure.kind)
      }.nextOption().getOrElse(failure)
      report(fuzz, smallest)
    }
  }

  private def makeTables(seed: Long): Unit = if (!world.contains(seed)) {
    (FuzzTables.drops ++ FuzzTables.creates(seed)).foreach(sql(_))
    world = Some(seed)
  }

  private case class Failure(kind: String, text: String, run: RunConf, query: Query)

  /** Runs a query off, on, and on with adaptive execution and the other code path. */
  private def check(fuzz: FuzzCase, query: Query, tally: Option[FuzzTally]): Option[Failure] = {
    def run(colocate: Boolean, adaptive: Boolean, more: (String, String)*): Executed =
      execute(RunConf(colocate, adaptive), fuzz.settings ++ more: _*)(sql(query.sql))
    val off = run(colocate = false, adaptive = false)
    val on = run(colocate = true, adaptive = false)
    tally.foreach(count(_, off, on))
    lazy val flipped = "spark.sql.codegen.wholeStage" ->
      (!fuzz.settings.toMap.apply("spark.sql.codegen.wholeStage").toBoolean).toString
    lazy val adaptive = run(colocate = true, adaptive = true, flipped)
    lazy val stockAdaptive = run(colocate = false, adaptive = true, flipped)
    def fail(kind: String, text: String, in: Executed) = Failure(kind, text, in.run, query)

    def rows(in: Executed) = Outcome.difference(off.outcome, in.outcome).map(fail("rows", _, in))
    def valid = on.plan.filter(_ => on.outcome.isInstanceOf[Rows])
      .filterNot(ValidateRequirements.validate)
      .map(p => fail("requirements", s"a requirement is not met:\n$p", on))
    def places(in: Executed) = in.plan.filter(_ => in.outcome.isInstanceOf[Rows]).flatMap { plan =>
      val seen = PhysicalOracle.check(plan)
      tally.foreach(_.operatorsChecked += seen.checked)
      seen.violations.headOption.map(v => fail("places", s"$v\n$plan", in))
    }
    // Rows that Spark alone does not return every time prove nothing.
    def unstable = Outcome.difference(off.outcome, stockAdaptive.outcome).isDefined ||
      Outcome.difference(off.outcome, run(colocate = false, adaptive = false).outcome).isDefined
    val wrong = rows(on).orElse(rows(adaptive))
    if (wrong.isDefined && unstable) { tally.foreach(_.unstable += 1); None }
    else wrong.orElse(valid).orElse(places(on)).orElse(places(adaptive))
  }

  private def count(tally: FuzzTally, off: Executed, on: Executed): Unit = {
    off.outcome match {
      case rows: Rows => if (rows.size > 0) tally.withRows += 1
      case failed: Failed =>
        tally.errors += 1
        info(s"case ${tally.cases - 1}: ${failed.errorClass}: ${failed.message.take(300)}")
    }
    if (off.shape != on.shape) tally.exercised += 1
    if (on.shuffles < off.shuffles) tally.fewer += 1
    if (on.shuffles > off.shuffles) tally.more += 1
    tally.shufflesOff += off.shuffles
    tally.shufflesOn += on.shuffles
  }

  private def report(fuzz: FuzzCase, failure: Failure): Unit = {
    val text = s"case ${fuzz.number} of seed ${fuzz.seed}, ${failure.run}: ${failure.text}"
    val file = Path.of("fuzz", s"seed-${fuzz.seed}-case-${fuzz.number}.sql")
    val script = fuzz.script(failure.run, failure.query.sql, text)
    Files.createDirectories(file.getParent)
    Files.writeString(file, script)
    tally.failures :+= s"$text\nThe case as a script ($file):\n${script.linesIterator.filterNot(_.startsWith("  (")).mkString("\n")}"
  }
}
