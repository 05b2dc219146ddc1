package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.{DoubleType, FloatType}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * A hash of a floating-point column is the hash of what a join compares in its place: 0.0 for -0.0, and one
 * NaN for all.
 *
 * {{{
 *   SortMergeJoin [normalized(g.x)], [...]             SortMergeJoin [normalized(g.x)], [...]
 *   +- Exchange [normalized(g.x)]                =>    +- ColocateClaim [x hashes as it compares]
 *      +- HashAggregate [x]                               +- HashAggregate [x]
 *         +- Exchange [x]                                    +- Exchange [x]
 * }}}
 *
 * Valid because Spark's hash of such a column gives values that it takes for equal the hash of what it
 * compares. Counter-example: a function of the column. `1 / x` distinguishes -0.0 from 0.0.
 */
final case class Normalised(columns: Seq[Attribute]) extends ClaimFact {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    present ++ present.flatMap(HashPartitionings.hashes).filter(_.keys.exists(isOne)).map {
      hashed =>
        Rehashed(hashed.partitioning)(
          _.map(key => if (isOne(key)) Normalised.compared(key) else key))
    }

  private def isOne(key: Expression): Boolean = columns.exists(_.semanticEquals(key))

  override def reason(keys: Seq[Expression]): Option[Reason] =
    columns.find(c => keys.exists(_.semanticEquals(Normalised.compared(c)))).map { column =>
      Reason(ExchangeReasons.NormalisedKey, "key" -> column.name)
    }

  override def text: String = s"${columns.mkString(", ")} hashes as it compares"
}

object Normalised {

  /** What a join, a window or an aggregate compares in the place of a floating-point column. */
  def compared(column: Expression): Expression =
    KnownFloatingPointNormalized(NormalizeNaNAndZero(column))

  /** True if the key is what is compared in the column's place. */
  def isComparedBy(column: Expression, key: Expression): Boolean = column.dataType match {
    case DoubleType | FloatType => compared(column).semanticEquals(key)
    case _ => false
  }
}
