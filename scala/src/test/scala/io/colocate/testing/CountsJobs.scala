package io.colocate.testing

import java.util.concurrent.atomic.AtomicInteger

import scala.concurrent.duration.DurationInt

import org.scalatest.Suite
import org.scalatest.concurrent.Eventually

import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}

/** Counts the jobs of Spark that a piece of a test takes. */
trait CountsJobs extends ColocateTestSession with Eventually { this: Suite =>

  /** What it gives, and how many jobs that took. */
  protected def countingJobs[T](body: => T): (T, Int) = {
    val (jobs, marked) = (new AtomicInteger, new AtomicInteger)
    val listener = new SparkListener {
      override def onJobStart(start: SparkListenerJobStart): Unit =
        if (start.properties.getProperty("spark.job.description") == "mark")
          marked.incrementAndGet()
        else jobs.incrementAndGet()
    }
    spark.sparkContext.addSparkListener(listener)
    try {
      val found = body
      mark()
      eventually(timeout(20.seconds))(assert(marked.get == 1))
      (found, jobs.get)
    } finally spark.sparkContext.removeSparkListener(listener)
  }

  /** A job that comes after all others. */
  private def mark(): Unit = {
    spark.sparkContext.setJobDescription("mark")
    try spark.sparkContext.parallelize(Seq(1), 1).count()
    finally spark.sparkContext.setJobDescription(null)
  }
}
