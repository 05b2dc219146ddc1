package io.colocate.multiway.rows

import org.apache.spark.{TaskContext, TaskKilledException}

/**
 * Ends a task that is cancelled. A row of the driver may give so many rows, and a relation may be so large,
 * that Spark's own check, at the next row of the driver, comes late.
 */
private[multiway] object Cancelled {

  def check(task: TaskContext): Unit =
    if (task.isInterrupted()) throw new TaskKilledException("the multiway join was cancelled")
}
