package io.colocate.fuzz

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.{EmptyRelationExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.exchange.ValidateRequirements
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.report.{ExchangeReasons, ReasonCode}
import io.colocate.testing.{ColocateTestSession, Exchanges, Executed, Failed, Nightly, Outcome, PhysicalOracle, Reports, Rows, RunConf, ShufflesRun}

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
  private val SliceCases = Nightly.count(night = 400, day = FuzzCase.Round)
  private val LeastShare = 0.25

  /** Runs of each side until the adaptive plans of ours shuffle no more. */
  private val MostRuns = 8

  private val tally = new FuzzTally
  private lazy val ran = new ShufflesRun(spark.sparkContext)
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
    if (single.isEmpty) {
      assert(tally.share >= LeastShare, "too few cases exercised the planner")
      assert(tally.shapes.missing.isEmpty, tally.shapes.missing.mkString("; "))
    }
  }

  /** By seed and number. */
  private val FailedOnce = Seq(1124L -> 233)

  for ((seed, number) <- FailedOnce) test(s"case $number of seed $seed, which failed once") {
    val fuzz = FuzzCase(seed, number)
    makeTables(fuzz)
    val failure = check(fuzz, fuzz.query, None)
    assert(failure.isEmpty, failure.map(_.text).mkString)
  }

  private def runCase(number: Int): Unit = {
    val fuzz = FuzzCase(seed, number)
    makeTables(fuzz)
    tally.cases += 1
    if (tally.cases % 200 == 0) info(tally.summary(seed))
    check(fuzz, fuzz.query, Some(tally)).foreach { failure =>
      val smallest = fuzz.query.smaller.take(60).iterator.flatMap { q =>
        check(fuzz, q, None).filter(_.kind == failure.kind)
      }.nextOption().getOrElse(failure)
      report(fuzz, smallest)
    }
  }

  private def makeTables(fuzz: FuzzCase): Unit = if (!world.contains(fuzz.worldSeed)) {
    fuzz.tables.foreach(sql(_))
    world = Some(fuzz.worldSeed)
  }

  private case class Failure(kind: String, text: String, run: RunConf, query: Query)

  private def check(fuzz: FuzzCase, query: Query, tally: Option[FuzzTally]): Option[Failure] = {
    val runs = new CaseRuns(fuzz, query)
    tally.foreach(count(_, query, runs))
    val wrong = runs.wrongRows
    if (wrong.isDefined && runs.unstable) { tally.foreach(_.unstable += 1); None }
    else
      wrong.orElse(runs.unmet).orElse(runs.more).orElse(runs.moreAdaptive)
        .orElse(runs.untrue).orElse(runs.misplaced(tally))
  }

  /** A query run off, on, and on with adaptive execution and the other code path. */
  private class CaseRuns(fuzz: FuzzCase, query: Query) {
    private val codegen = "spark.sql.codegen.wholeStage"
    private lazy val other = codegen -> (!fuzz.settings.toMap.apply(codegen).toBoolean).toString

    val off: Executed = run(colocate = false, adaptive = false)
    val on: Executed = run(colocate = true, adaptive = false)
    private lazy val (adaptive, shuffled) = ran.during(adapted(colocate = true))
    private def adapted(colocate: Boolean) = run(colocate, adaptive = true, other)

    private def run(colocate: Boolean, adaptive: Boolean, more: (String, String)*): Executed =
      execute(RunConf(colocate, adaptive), fuzz.settings ++ more: _*)(sql(query.sql))

    /** By Spark alone, planned once more. */
    private def planned: Executed = run(colocate = false, adaptive = false)

    def wrongRows: Option[Failure] = differs(on).orElse(differs(adaptive))

    private def differs(in: Executed): Option[Failure] =
      Outcome.difference(off.outcome, in.outcome).map(fail("rows", _, in))

    /** Why shuffles are gone, before the query runs and while it does. */
    def reasons: Set[ReasonCode] = Reports.reasons(on) ++ Reports.reasons(adaptive)

    /** Rows that Spark alone does not return every time prove nothing. */
    def unstable: Boolean =
      Seq(adapted(colocate = false), run(colocate = false, adaptive = false))
        .exists(again => Outcome.difference(off.outcome, again.outcome).isDefined)

    /** Under the settings of the case: a join casts its keys in the session's time zone. */
    def unmet: Option[Failure] = planOf(on)
      .filterNot(plan => withConf(fuzz.settings: _*)(ValidateRequirements.validate(plan)))
      .map(p => fail("requirements", s"a requirement is not met:\n$p", on))

    def more: Option[Failure] = planOf(on).filter(_ => on.shuffles > off.shuffles)
      .map(p => fail("more", s"${off.shuffles} -> ${on.shuffles} shuffles:\n$p", on))

    /**
     * Which stages end first is chance, so the fewest of some runs of each are compared. Where an input turns
     * out empty, Spark leaves out what is above it once a stage has ended, and with fewer shuffles there are
     * fewer such ends: a shuffle that Spark alone left out may run then.
     */
    def moreAdaptive: Option[Failure] =
      planOf(adaptive).filterNot(isEmptied).flatMap { plan =>
        def again(colocate: Boolean) = ran.during(adapted(colocate))._2
        val fewest = Iterator.iterate((again(colocate = false), shuffled)) { case (theirs, ours) =>
          (theirs.min(again(colocate = false)), ours.min(again(colocate = true)))
        }
        val more = fewest.take(MostRuns).takeWhile { case (theirs, ours) => ours > theirs }.toSeq
        Option.when(more.length == MostRuns) {
          val (theirs, ours) = more.last
          fail("more", s"$theirs -> $ours shuffles:\n$plan", adaptive)
        }
      }

    /** True where joins are gone, or all is. */
    private def isEmptied(plan: SparkPlan): Boolean = {
      val nodes = Exchanges.nodes(plan)
      def joins(of: Seq[SparkPlan]) = of.count(_.isInstanceOf[BaseJoinExec])
      val planned = nodes.collect { case adaptive: AdaptiveSparkPlanExec =>
        joins(adaptive.initialPlan.collect { case node => node })
      }
      nodes.exists(_.isInstanceOf[EmptyRelationExec]) || joins(nodes) < planned.sum
    }

    /**
     * What explain() says of a plan that is not adapted is what Spark plans, alone and with us. Spark orders
     * several DISTINCT aggregates by chance, and shares two of them only where both came out alike.
     */
    def untrue: Option[Failure] = planOf(on).map(Reports.said)
      .filter(_ != ((off.shuffles, on.shuffles)))
      .filter(_ => Seq.fill(MostRuns)(planned.shuffles).distinct.length == 1)
      .map(said => fail("said", s"$said, planned are ${off.shuffles} and ${on.shuffles}", on))

    /** A plan that is Spark's own needs no look at its partitions. */
    def misplaced(tally: Option[FuzzTally]): Option[Failure] =
      if (off.shape == on.shape) None else places(on, tally).orElse(places(adaptive, tally))

    private def places(in: Executed, tally: Option[FuzzTally]): Option[Failure] =
      planOf(in).flatMap { plan =>
        val seen = PhysicalOracle.check(plan)
        tally.foreach(_.operatorsChecked += seen.checked)
        seen.violations.headOption.map(v => fail("places", s"$v\n$plan", in))
      }

    private def planOf(in: Executed) = in.plan.filter(_ => in.outcome.isInstanceOf[Rows])

    private def fail(kind: String, text: String, in: Executed) =
      Failure(kind, text, in.run, query)
  }

  private def count(tally: FuzzTally, query: Query, runs: CaseRuns): Unit = {
    import runs.{off, on}
    off.outcome match {
      case rows: Rows => if (rows.size > 0) tally.withRows += 1
      case failed: Failed =>
        tally.errors += 1
        info(s"case ${tally.cases - 1}: ${failed.errorClass}: ${failed.message.take(300)}")
    }
    if (off.shape != on.shape) tally.exercised += 1
    if (Reports.of(on).exists(_.taken.exists(_.capability == ExchangeReasons.Capability)))
      tally.removed += 1
    tally.shapes.count(query.shapes, off.shape != on.shape, runs.reasons)
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
