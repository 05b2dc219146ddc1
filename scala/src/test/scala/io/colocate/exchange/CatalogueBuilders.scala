package io.colocate.exchange

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.{count, lit, max}

/** The catalogue's queries that SQL cannot say, by the name that the case file gives them. */
object CatalogueBuilders {

  val all: Map[String, SparkSession => DataFrame] = Map("dropDuplicates" -> dropDuplicates)

  /** The rows that survive differ from run to run, so only what they have in common is selected. */
  private def dropDuplicates(spark: SparkSession): DataFrame =
    spark
      .table("t1")
      .dropDuplicates("a", "b")
      .groupBy("a")
      .agg(count(lit(1)).as("n"), max("b").as("m"))
}
