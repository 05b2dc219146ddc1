package io.colocate.tables.operations

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession

/**
 * A step of an operation on a table. Its jobs carry the step's name as their description, in Spark's UI
 * and for `colocate.progress` in Python.
 */
private[colocate] object WriteStep {

  /** What each description begins with. */
  val Prefix: String = "Colocate: "

  private val Description = "spark.job.description"

  def apply[T](session: SparkSession, table: Path, name: String)(body: => T): T = {
    val context = session.sparkContext
    val before = context.getLocalProperty(Description)
    context.setJobDescription(s"$Prefix$name $table")
    try body
    finally context.setJobDescription(before)
  }
}
