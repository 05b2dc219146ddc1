package io.colocate.exchange.cost

import scala.collection.mutable

import org.apache.spark.sql.execution.SparkPlan

/**
 * Parts of one complete plan, of which Spark runs equal ones once.
 *
 * Canonical forms are compared only of parts that are alike ([[SharedSubplans.likeness]]), as computing
 * them takes long.
 */
final private[exchange] class SeenPlans(sharing: SharedSubplans) {

  final private class Alike(first: SparkPlan) {
    private lazy val canonical = mutable.HashSet(first.canonicalized)
    def isNew(other: SparkPlan): Boolean = canonical.add(other.canonicalized)
  }

  private val seen = mutable.HashMap.empty[Any, Alike]

  /** True unless an equal part has been asked for before. */
  def isNew(part: SparkPlan): Boolean = sharing.likeness(part).forall { likeness =>
    seen.get(likeness).fold {
      seen.put(likeness, new Alike(part))
      true
    }(_.isNew(part))
  }
}
