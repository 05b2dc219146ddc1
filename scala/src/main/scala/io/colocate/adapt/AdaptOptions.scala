package io.colocate.adapt

import io.colocate.adapt.change.PublishedPlanner

/**
 * How a table is adapted.
 *
 * @param budget    the most rows to rewrite, as a share of the table's
 * @param writeCost what it costs to rewrite a row, in rows read
 * @param seed      the seed of the sample
 * @param published true for the published planner in place of the default
 */
final case class AdaptOptions(
    budget: Double = AdaptOptions.DefaultBudget,
    writeCost: Double = AdaptOptions.DefaultWriteCost,
    seed: Long = 0,
    published: Boolean = false) {
  require(budget > 0 && budget <= 1, s"budget is $budget; accepted: above 0, up to 1")
  require(writeCost >= AdaptOptions.LeastWriteCost && writeCost <= AdaptOptions.MostWriteCost,
    s"writeCost is $writeCost; accepted: ${AdaptOptions.LeastWriteCost} to ${AdaptOptions.MostWriteCost}")

  /**
   * How many of the newest queries to look at: few first, so that a change of what is asked is seen soon.
   * A query saves at most one read of the table, so of fewer than the write cost none can pay.
   */
  def windows: Seq[Int] =
    if (published) Seq(PublishedPlanner.Window)
    else if (writeCost <= AdaptOptions.Cheap) Seq(20, 60)
    else
      Seq(2 * writeCost, 8 * writeCost).map(_.ceil.toInt.min(AdaptOptions.LongestWindow)).distinct
}

object AdaptOptions {

  val DefaultBudget: Double = 0.25
  val DefaultWriteCost: Double = 8
  val LeastWriteCost: Double = 1
  val MostWriteCost: Double = 500

  private val Cheap = 5.0
  private val LongestWindow = 2000
}
