package io.colocate.shims;

import org.apache.spark.TaskContext;
import org.apache.spark.memory.TaskMemoryManager;

/** What Spark keeps from Scala, and not from Java. In Java, so that a Spark that changes it does not compile. */
public final class SparkMemory {

  private SparkMemory() {}

  /** The memory that Spark lets a task have. */
  public static TaskMemoryManager of(TaskContext task) {
    return task.taskMemoryManager();
  }
}
