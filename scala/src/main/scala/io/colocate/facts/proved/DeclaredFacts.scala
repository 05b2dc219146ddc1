package io.colocate.facts.proved

import org.apache.spark.sql.execution.SparkPlan

/** What is declared of the rows of tables. */
trait DeclaredFacts {

  /** The facts that are declared of the rows that a leaf of a physical plan reads. */
  def apply(leaf: SparkPlan): ProvedFacts
}

object DeclaredFacts {

  /** For plans that are only estimated, and in tests. */
  val None: DeclaredFacts = (_: SparkPlan) => ProvedFacts.Nothing
}
