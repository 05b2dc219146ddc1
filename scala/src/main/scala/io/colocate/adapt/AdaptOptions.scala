package io.colocate.adapt

/**
 * How a table is adapted.
 *
 * @param budget    the most rows to rewrite, as a share of the table's
 * @param writeCost what it costs to rewrite a row, in rows read
 * @param seed      the seed of the sample
 * @param published true for the published planner in place of the default
 * @param space     the most bytes that files may take which only older versions need, because their rows
 *                  were rewritten, as a share of the table's
 */
final case class AdaptOptions(
    budget: Double = AdaptOptions.DefaultBudget,
    writeCost: Double = AdaptOptions.DefaultWriteCost,
    seed: Long = 0,
    published: Boolean = false,
    space: Double = 1) {
  require(budget > 0 && budget <= 1, s"budget is $budget; accepted: above 0, up to 1")
  require(writeCost >= AdaptOptions.LeastWriteCost && writeCost <= AdaptOptions.MostWriteCost,
    s"writeCost is $writeCost; accepted: ${AdaptOptions.LeastWriteCost} to ${AdaptOptions.MostWriteCost}")

  /**
   * How many of the newest queries to look at: few first, so that a change of what is asked is seen soon.
   * A query saves at most one read of the table, so of fewer than the write cost none can pay.
   */
  def windows: Seq[Int] =
    if (published) Seq(AdaptOptions.PublishedWindow)
    else if (writeCost <= 5) Seq(20, 60)
    else Seq((2 * writeCost).ceil.toInt, (8 * writeCost).ceil.toInt)
}

object AdaptOptions {

  /** The published window, which does not grow with the cost. */
  val PublishedWindow: Int = 20
  val DefaultBudget: Double = 0.25
  val DefaultWriteCost: Double = 8
  val LeastWriteCost: Double = 1
  val MostWriteCost: Double = 100
}
