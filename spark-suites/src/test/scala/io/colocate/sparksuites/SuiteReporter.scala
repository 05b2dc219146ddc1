package io.colocate.sparksuites

import scala.collection.mutable

import org.scalatest.Reporter
import org.scalatest.events._

/** Counts the tests of one suite, and prints those that fail. */
final class SuiteReporter(suite: String, quiet: Boolean = false) extends Reporter {
  private val successes = mutable.Buffer.empty[String]

  var failures = 0
  var skipped = 0

  def passed: Int = successes.size
  def succeeded: Seq[String] = successes.toSeq

  def failed(test: String, message: String, error: Option[Throwable]): Unit = synchronized {
    failures += 1
    if (!quiet) {
      println(s"*** $suite | $test *** FAILED: $message")
      error.foreach { e =>
        val causes = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).take(5)
        causes.foreach { cause =>
          println(s"  ${cause.getClass.getName}: ${cause.getMessage}")
          cause.getStackTrace.take(25).foreach(frame => println(s"    at $frame"))
        }
      }
    }
  }

  override def apply(event: Event): Unit = event match {
    case e: TestSucceeded => synchronized(successes += e.testName)
    case e: TestFailed => failed(e.testName, e.message, e.throwable)
    case e: SuiteAborted => failed("the suite as a whole", e.message, e.throwable)
    case _: TestIgnored | _: TestCanceled | _: TestPending => synchronized(skipped += 1)
    case _ =>
  }
}
