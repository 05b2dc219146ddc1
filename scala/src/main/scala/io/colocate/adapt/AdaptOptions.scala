package io.colocate.adapt

import io.colocate.adapt.change.PublishedPlanner
import io.colocate.adapt.cost.WriteCost
import io.colocate.tables.queries.AskedQuery

/**
 * How a table is adapted.
 *
 * @param budget    the most rows to rewrite, as a share of the table's
 * @param writeCost what it costs to rewrite a row, in rows read; None for what was measured when the table
 *                  was last adapted, see [[WriteCost]]
 * @param seed      the seed of the sample
 * @param published true for the published planner in place of the default
 * @param space     the most bytes that files may take which only older versions need, because their rows
 *                  were rewritten, as a share of the table's
 * @param queries   in place of those that are known of the table
 */
final case class AdaptOptions(
    budget: Double = AdaptOptions.DefaultBudget,
    writeCost: Option[Double] = None,
    seed: Long = 0,
    published: Boolean = false,
    space: Double = 1,
    queries: Option[Seq[AskedQuery]] = None) {

  import AdaptOptions._

  require(budget > 0 && budget <= 1, s"budget is $budget; accepted: above 0, up to 1")
  writeCost.foreach(cost =>
    require(cost >= LeastWriteCost && cost <= MostWriteCost,
      s"writeCost is $cost; accepted: $LeastWriteCost to $MostWriteCost"))

  /** What it costs to rewrite a row, in rows read. */
  def cost: Double = writeCost.getOrElse(DefaultWriteCost)

  /**
   * How many of the newest queries to look at: few first, so that a change of what is asked is seen soon.
   * A query saves at most one read of the table, so of fewer than the write cost none can pay.
   */
  def windows: Seq[Int] =
    if (published) Seq(PublishedPlanner.Window)
    else if (cost <= Cheap) Seq(20, 60)
    else Seq(2 * cost, 8 * cost).map(_.ceil.toInt.min(MostQueries)).distinct
}

object AdaptOptions {

  val DefaultBudget: Double = 0.25

  /** Until it has been measured: about that of an object store, by the bytes that are moved. */
  val DefaultWriteCost: Double = 8
  val LeastWriteCost: Double = 1
  val MostWriteCost: Double = WriteCost.Most

  private val Cheap = 5.0

  /** More are not kept of a table. */
  private val MostQueries = 2000
}
