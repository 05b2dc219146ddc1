package io.colocate.multiway.detect

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import io.colocate.{ColocateConf, GuardedRule}
import io.colocate.multiway.run.ColocateMultiwayJoin
import io.colocate.reason.{Bytes, Reason, ReasonCode}

/**
 * Plans a multiway join: one of the largest inputs drives, the others are broadcast. Where these are too
 * large the join is done by joins of two inputs each, as Spark would have planned it.
 */
object MultiwayStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: MultiwayJoin => Seq(planned(join))
    case _ => Nil
  }

  /**
   * The choice is made once. Adaptive execution plans the node again when inputs have been broadcast, as
   * relations of ours that are good for nothing else.
   */
  private def planned(join: MultiwayJoin): SparkPlan = join.getTagValue(MultiwayJoin.Choice) match {
    case Some(Right(driver)) => physical(join, driver)
    case Some(Left(_)) => planLater(join.binary)
    case None =>
      GuardedRule("multiway", SQLConf.get, ColocateConf.multiwayOn)(planLater(join.binary)) {
        val drivers = byPreference(join).map(driver => tooLarge(join, driver).toLeft(driver))
        drivers.find(_.isRight).getOrElse(drivers.head).fold(declined(join, _), chosen(join, _))
      } { error =>
        declined(join, Reason(ReasonCode.MultiwayError, "error" -> error.toString))
      }
  }

  private def chosen(join: MultiwayJoin, driver: Int): SparkPlan = {
    val planned = physical(join, driver)
    // What it asks of its inputs is found now, where a failure leaves Spark's joins.
    planned.requiredChildDistribution
    join.setTagValue(MultiwayJoin.Choice, Right(driver))
    planned
  }

  private def declined(join: MultiwayJoin, reason: Reason): SparkPlan = {
    join.setTagValue(MultiwayJoin.Choice, Left(reason))
    val binary = join.binary
    for {
      report <- MultiwayReport.of(join)
      node <- Seq(join) ++ binary.collectFirst { case top: Join => top }
    } MultiwayReport.put(node, report.copy(chosen = false, reason = reason))
    planLater(binary)
  }

  private def physical(join: MultiwayJoin, driver: Int): ColocateMultiwayJoin = {
    def first[T](inputs: Seq[T]): Seq[T] = inputs(driver) +: inputs.patch(driver, Nil, 1)
    ColocateMultiwayJoin(first(join.children).map(planLater), first(join.keys),
      first(join.variables), join.comparisons, join.output, join.counted)
  }

  /**
   * Inputs that may drive. Of those that are about as large as the largest it is the one below which
   * most can be counted apart: of e(x, y), e(x, z), e(y, z), e(y, w), e(z, w) the third, as x and w
   * do not meet.
   */
  private def byPreference(join: MultiwayJoin): Seq[Int] = {
    val sizes = join.children.map(size)
    join.children.indices.filter(sizes(_) * 2 >= sizes.max)
      .sortBy(i => (physical(join, i).depth, -sizes(i), i))
  }

  private def size(input: LogicalPlan): BigInt = input.stats.sizeInBytes

  private def tooLarge(join: MultiwayJoin, driver: Int): Option[Reason] = {
    val limit = ColocateConf.MultiwayBroadcastBytes(SQLConf.get)
    val forced = join.getTagValue(MultiwayJoin.Forced).contains(true)
    val sizes = join.children.patch(driver, Nil, 1).distinctBy(_.canonicalized).map(size)
      .filterNot(bytes => forced && bytes >= Unknown)
    Option.when(sizes.sum > limit) {
      Reason(ReasonCode.BroadcastTooLarge, "bytes" -> Bytes.text(sizes.sum.toDouble),
        "limit" -> Bytes.text(limit.toDouble))
    }
  }

  /** Spark says "unknown" with a size that no data has. */
  private val Unknown = BigInt(1L << 60)
}
