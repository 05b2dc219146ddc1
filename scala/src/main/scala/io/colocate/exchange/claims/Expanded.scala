package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ExpandExec, SparkPlan}

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.expressions.Spelled
import io.colocate.facts.proved.KeyBelow
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * The rows that are made of one row have the column that all of them keep, and lie where that row lies.
 *
 * {{{
 *   HashAggregate [a', b', id]                         HashAggregate [a', b', id]
 *   +- Exchange [a', b', id]                           +- ColocateClaim [a' is a in all rows]
 *      +- Expand [[a, b, 0], [a, null, 1]]       =>       +- Expand [[a, b, 0], [a, null, 1]]
 *         +- SortMergeJoin [t1.a], [t2.a]                    +- SortMergeJoin [t1.a], [t2.a]
 * }}}
 *
 * Valid for a column that stands at the same place in all lists, and for functions of such columns. Counter-example: ROLLUP and CUBE, which
 * have a list with NULL in the place of each column.
 */
case object Expanded extends OfWholeRows {

  override def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning] =
    Computing(operator) match {
      case expand: ExpandExec =>
        present ++ HashPartitionings.hashes(expand.child.outputPartitioning).flatMap { hashed =>
          val keys = hashed.keys.map(Spelled(_, MostNames)(namesOf(expand, _)))
          Spelled.each(keys, MostNames).map(names => Rehashed(hashed.partitioning)(_ => names))
        }
      case _ => present
    }

  private def namesOf(expand: ExpandExec, key: Expression): Seq[Attribute] =
    expand.output.zipWithIndex.collect { case (name, i) if KeyBelow.keeps(expand, i, key) => name }

  override def reason(keys: Seq[Expression]): Option[Reason] = Option.when(keys.nonEmpty)(
    Reason(ExchangeReasons.ExpandedKeys, "keys" -> HashPartitionings.text(keys)))

  /** A column is usually passed on by its own name and by that of the grouping. */
  private val MostNames = 8

  override def text: String = "rows lie where those lie of which they are made"
}
