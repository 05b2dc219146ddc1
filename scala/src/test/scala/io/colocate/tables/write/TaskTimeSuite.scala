package io.colocate.tables.write

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.testing.ColocateTestSession

/** The time of tasks. */
class TaskTimeSuite extends AnyFunSuite with ColocateTestSession {

  private def sleep(tasks: Int, millis: Long): Unit =
    spark.sparkContext.parallelize(1 to tasks, tasks).foreach(_ => Thread.sleep(millis))

  test("all tasks count, however many run at once, and those of others do not") {
    val other = new Thread(() => sleep(4, 500))
    other.start()
    val (result, time) = TaskTime(spark.sparkContext) {
      sleep(4, 100)
      sleep(2, 100)
      "done"
    }
    other.join()
    assert(result == "done")
    assert(time.exists(millis => millis >= 600 && millis < 1800), time)
  }

  test("no job, no time; and an error passes") {
    assert(TaskTime(spark.sparkContext)(1) == (1, Some(0L)))
    assertThrows[IllegalStateException](
      TaskTime(spark.sparkContext)(throw new IllegalStateException))
  }
}
