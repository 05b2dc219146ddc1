package io.colocate.sparksuites

import java.nio.file.{Files, Path}

import org.scalatest.{Args, DynaTags, Filter, Suite}

import org.apache.spark.sql.SparkSession

/**
 * Runs suites of Spark by name, one after the other in this JVM: first a suite without its excluded
 * tests, then these alone. A failure of the former fails the run, and so does success of the latter.
 *
 * Arguments: excluded.txt, the file for the numbers, the names of the suites below org.apache.spark.
 */
object RunSuites {

  def main(args: Array[String]): Unit = {
    val aqe = System.getProperty("colocate.suites.aqe")
    val excluded = Exclusion.read(Path.of(args(0)), aqe).groupBy(_.suite)
    val runs =
      args.toSeq.drop(2).map(name => new RunSuites(name, aqe, excluded.getOrElse(name, Nil)))
    runs.foreach(_.run())
    val counted = CountPlans.seen
    val numbers = Seq("passed" -> runs.map(_.passed).sum, "failed" -> runs.map(_.failed).sum,
      "excluded" -> excluded.view.filterKeys(args.contains).values.map(_.size).sum,
      "plans" -> counted.plans, "changed" -> counted.changed)
    Files.writeString(Path.of(args(1)), numbers.map { case (k, v) => s"$k=$v\n" }.mkString)
    System.exit(0) // whatever threads a suite may have left
  }

  private val Tag = "colocate.excluded"
  private def excludedOnly = java.lang.Boolean.getBoolean("colocate.suites.excluded")
}

final private class RunSuites(name: String, aqe: String, excluded: Seq[Exclusion]) {
  import RunSuites.Tag

  private val report = new SuiteReporter(name)

  def passed: Int = report.passed
  def failed: Int = report.failures

  def run(): Unit = {
    val before = CountPlans.seen
    val start = System.nanoTime
    if (!RunSuites.excludedOnly) once(excluded.map(_.test), only = false, report)
    val steady = excluded.filter(_.steady).map(_.test)
    if (steady.nonEmpty) {
      val again = new SuiteReporter(name, quiet = true)
      once(steady, only = true, again)
      again.succeeded.foreach(report.failed(_, "It is excluded, and passes: see excluded.txt.",
        None))
    }
    val counted = CountPlans.seen - before
    val seconds = (System.nanoTime - start) / 1000000000L
    println(
      f"$name%-75s AQE $aqe%-3s $passed%4d passed $failed%3d failed ${excluded.size}%3d excluded" +
        f" ${report.skipped}%3d skipped $seconds%4d s, ${counted.changed} of ${counted.plans} plans changed")
  }

  /** The suite without the tests named, or with them only. */
  private def once(tests: Seq[String], only: Boolean, reporter: SuiteReporter): Unit =
    try {
      val suite = Class.forName(s"org.apache.spark.$name").getDeclaredConstructor().newInstance()
        .asInstanceOf[Suite]
      tests.filterNot(suite.testNames.contains)
        .foreach(report.failed(_, "It is excluded, but there is no such test.", None))
      val tags = DynaTags(Map.empty, Map(suite.suiteId -> tests.map(_ -> Set(Tag)).toMap))
      val filter = Filter(if (only) Some(Set(Tag)) else None, if (only) Set.empty else Set(Tag),
        dynaTags = tags)
      suite.run(None, Args(reporter, filter = filter))
    } catch {
      case e: Throwable => reporter.failed("the suite as a whole", e.toString, Some(e))
    } finally stopLeftovers()

  /** A suite that was aborted leaves its session, which the next one would take for its own. */
  private def stopLeftovers(): Unit = {
    SparkSession.getActiveSession.orElse(SparkSession.getDefaultSession).foreach(_.stop())
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
  }
}
