package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{CoalesceExec, SparkPlan}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.Together
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * `coalesce(n)` puts whole partitions together, so rows that were together still are.
 *
 * {{{
 *   HashAggregate [a]                                  HashAggregate [a]
 *   +- Exchange [a]                                    +- ColocateClaim [partitions were merged whole]
 *      +- Coalesce 4                             =>       +- Coalesce 4
 *         +- SortMergeJoin [t1.a], [t2.a]                    +- SortMergeJoin [t1.a], [t2.a]
 * }}}
 *
 * Valid for what requires rows together. Counter-example: a join above it, whose other side would have to
 * be merged in the same way.
 */
case object Merged extends OfWholeRows {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    operator match {
      case coalesce: CoalesceExec if coalesce.numPartitions > 1 =>
        present ++ HashPartitionings.hashes(coalesce.child.outputPartitioning).map(hashed =>
          Together(hashed.keys, coalesce.outputPartitioning.numPartitions))
      case _ => present
    }

  override def reason(keys: Seq[Expression]): Option[Reason] = Option.when(keys.nonEmpty)(
    Reason(ExchangeReasons.MergedPartitions, "keys" -> HashPartitionings.text(keys)))

  override def text: String = "partitions were merged whole"
}
