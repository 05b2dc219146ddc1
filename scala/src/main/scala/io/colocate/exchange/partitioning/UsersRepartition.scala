package io.colocate.exchange.partitioning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.exchange.{REPARTITION_BY_NUM, ShuffleExchangeExec, ShuffleExchangeLike}
import org.apache.spark.sql.internal.SQLConf

/**
 * A user's `repartition(7, a)`. Its number of partitions holds up to the next shuffle of Spark's, no
 * further:
 *
 * {{{
 *   HashAggregate [a]                               HashAggregate [a]
 *   +- Exchange hashpartitioning(a, 200)            +- SortMergeJoin [a, b]
 *      +- SortMergeJoin [a, b]                         :- Exchange cohashpartitioning(a, 200)
 *         :- Exchange hashpartitioning(a, b, 200) =>   :  +- FileScan t
 *         :  +- Exchange hashpartitioning(a, 7)        +- Exchange cohashpartitioning(a, 200)
 *         :     +- FileScan t
 *         +- Exchange hashpartitioning(a, b, 200)
 * }}}
 *
 * If a user's repartition is right below a join and by some of its keys, Spark replaces it with the join's
 * shuffle, and so does Colocate. Counter-examples: `repartition(7, a, b)` serves the join, and stays with
 * its seven partitions; rows of `repartition(7)` or `repartition(7, c)` are shuffled once more, as in
 * Spark.
 */
object UsersRepartition {

  /** True if the rows have the number of partitions that the user asked for. */
  def is(plan: SparkPlan): Boolean = plan match {
    case stage: ShuffleQueryStageExec => is(stage.shuffle)
    case shuffle: ShuffleExchangeLike => shuffle.shuffleOrigin == REPARTITION_BY_NUM
    case _ => false
  }

  /**
   * The input of a user's repartition right below a join or the like, if Spark would replace that
   * repartition with another shuffle.
   *
   * @param child the plan of child `i` of the operator
   */
  def replaced(operator: SparkPlan, i: Int, child: SparkPlan): Option[SparkPlan] =
    child match {
      case users: ShuffleExchangeExec if is(users) =>
        Requirement.of(operator)(i) match {
          case Requirement.Aligned(asked)
              if users.outputPartitioning.satisfies(asked) && !serves(users, asked.clustering) =>
            Some(users.child)
          case _ => None
        }
      case _ => None
    }

  private def serves(users: SparkPlan, asked: Seq[Expression]): Boolean =
    HashPartitionings.hashes(users.outputPartitioning).exists { h =>
      HashPartitionings.positions(h.keys, asked).exists(at =>
        AllKeys.canLeaveOut(SQLConf.get) || at.distinct.length == asked.length)
    }
}
