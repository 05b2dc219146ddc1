package io.colocate.exchange.cost

import java.math.MathContext
import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.estimated.Estimates
import io.colocate.facts.proved.Proofs
import io.colocate.report.{Bytes, ExchangeReasons, Reason}
import io.colocate.rule.ColocateConf

/**
 * Decides whether rows may be hashed on fewer keys than an operator requires.
 *
 * This is always correct, but can put most rows into one task. So conservative mode requires evidence, the
 * first of these that holds:
 *  - the keys left out are proved to be constant;
 *  - the estimated size of the largest partition, from the bytes and the share of the hottest value (all
 *    rows if statistics are missing), is below Spark's threshold for a skewed partition;
 *  - column statistics show enough distinct values for the number of partitions, and no hot one;
 *  - Spark alone would hash the same rows, or more of them, on just these keys;
 *  - the keys are proved to determine those left out.
 *
 * Unknown sizes and unknown distinct counts are no evidence.
 */
final class FewerKeysGuard(
    mode: Mode,
    proofs: Proofs,
    estimates: Estimates,
    cost: CostModel,
    conf: SQLConf) {

  private val skewThreshold: Double =
    conf.getConf(SQLConf.SKEW_JOIN_SKEWED_PARTITION_THRESHOLD).toDouble
  private val minKeysPerPartition = ColocateConf.ExchangeMinKeysPerPartition(conf)
  private val maxHotShare = ColocateConf.ExchangeMaxHotShare(conf)

  /**
   * @param rows     the operator whose rows would be hashed
   * @param keys     the keys to hash
   * @param required the keys that the operator above requires
   * @param n        number of partitions
   * @param exact    see [[Wish.exact]]
   * @return the evidence, or on the left the reason for refusing
   */
  def apply(
      rows: SparkPlan,
      keys: Seq[Expression],
      required: Seq[Expression],
      n: Int,
      exact: Boolean): Either[Reason, Reason] = {
    lazy val share = cost.hottestShare(rows, keys)
    lazy val about = estimates(rows)
    lazy val size = about.bytes(rows.output)
    lazy val known = about.distinct(keys).isDefined
    lazy val largest = size.map(_ * (if (known) share.max(1.0 / n) else 1.0))
    val what =
      Seq("keys" -> HashPartitionings.text(keys), "required" -> HashPartitionings.text(required))

    mode match {
      case Mode.Off => Left(Reason(ExchangeReasons.SubsetOff, what))
      case Mode.Aggressive(why) => Right(why)
      case Mode.Conservative if leftOutAreConstant(rows, keys, required) =>
        val rest = required.filterNot(k => keys.exists(_.semanticEquals(k)))
        Right(Reason(ExchangeReasons.ConstantKeys, "keys" -> HashPartitionings.text(rest)))
      case Mode.Conservative if largest.exists(_ <= skewThreshold) =>
        val code =
          if (about.assumed) ExchangeReasons.SmallEdgeAssumed else ExchangeReasons.SmallEdge
        Right(Reason(code, "bytes" -> Bytes.text(largest.get),
          "limit" -> Bytes.text(skewThreshold)))
      case Mode.Conservative
          if known && enoughKeys(rows, keys, n) && share <= maxHotShare &&
            share * n < FewerKeysGuard.MaxShareOverFair =>
        Right(Reason(ExchangeReasons.ManyKeys, "keys" -> HashPartitionings.text(keys),
          "distinct" -> whole(about.distinct(keys).get), "share" -> percent(share)))
      case Mode.Conservative if exact => Right(Reason(ExchangeReasons.SameRisk, what.take(1)))
      case Mode.Conservative if determineTheRest(rows, keys, required) =>
        Right(Reason(ExchangeReasons.DeterminedByKeys, what.take(1)))
      case Mode.Conservative if !known =>
        Left(Reason(ExchangeReasons.UnknownSize, what))
      case Mode.Conservative if enoughKeys(rows, keys, n) =>
        Left(Reason(ExchangeReasons.HotValue, "keys" -> HashPartitionings.text(keys),
          "share" -> percent(share),
          "bytes" -> size.fold("unknown size")(b => Bytes.text(b * share))))
      case Mode.Conservative =>
        Left(Reason(ExchangeReasons.TooFewKeys, "keys" -> HashPartitionings.text(keys),
          "distinct" -> whole(about.distinct(keys).get),
          "bytes" -> size.fold("an unknown size")(Bytes.text), "needed" -> s"${needed(n)}"))
    }
  }

  private def needed(n: Int): Long = minKeysPerPartition.toLong * n

  private def enoughKeys(rows: SparkPlan, keys: Seq[Expression], n: Int): Boolean =
    estimates(rows).distinct(keys).exists(_ >= needed(n))

  private def leftOutAreConstant(
      rows: SparkPlan,
      keys: Seq[Expression],
      required: Seq[Expression]): Boolean = {
    val constants = proofs(rows).constants
    required.forall {
      case a: Attribute => constants(a.exprId) || keys.exists(_.semanticEquals(a))
      case other => keys.exists(_.semanticEquals(other))
    }
  }

  private def determineTheRest(
      rows: SparkPlan,
      keys: Seq[Expression],
      required: Seq[Expression]): Boolean = {
    val columns = keys.collect { case a: Attribute => a }
    columns.length == keys.length &&
    proofs(rows).dependency(columns).exists(_.determines(required))
  }

  private def whole(number: Double): String = "%.0f".formatLocal(Locale.ROOT, number)

  private def percent(share: Double): String =
    s"${BigDecimal(share * 100).round(new MathContext(2)).bigDecimal.toPlainString} %"
}

object FewerKeysGuard {

  /** The largest allowed ratio of the largest partition to the mean, if size alone is no evidence. */
  val MaxShareOverFair = 10
}

/** How much evidence a shuffle on fewer keys needs. */
sealed trait Mode
object Mode {
  case object Off extends Mode
  case object Conservative extends Mode

  /** @param why the configuration or the hint that asked for it */
  final case class Aggressive(why: Reason) extends Mode

  def of(conf: SQLConf, hint: Option[String]): Mode =
    hint.getOrElse(ColocateConf.ExchangeMode(conf)) match {
      case "off" => Off
      case "conservative" => Conservative
      case _ if hint.isDefined => Aggressive(Reason(ExchangeReasons.HintGiven, "hint" -> hint.get))
      case _ => Aggressive(Reason(ExchangeReasons.AggressiveMode))
    }
}
