package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.estimated.Facts
import io.colocate.facts.expressions.Equalities

/**
 * Where a filter or a join makes columns equal, a layout on one is a layout on the other:
 *
 * {{{
 *   ... GROUP BY b                                  ... GROUP BY b
 *   +- Filter a = b           hashed on a    =>     +- claim a = b       hashed on a, and on b
 *      +- Exchange [a]                                 +- Filter a = b
 * }}}
 *
 * Valid where both columns hold the same bits and no NULL in every row ([[Equalities]]). Not valid for
 * `a <=> b`, nor above an outer join that made them equal on one side only.
 */
final class EqualColumns(facts: Facts) {

  /** The choice, and the same with a claim where that serves a wish. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] = {
    val pairs = choice.operator match {
      case _: BaseJoinExec | _: FilterExec if choice.claim.isEmpty && !choice.hasUsersNumber =>
        wished(choice, wishes)
      case _ => Nil
    }
    if (pairs.forall { case (_, to) => hashedOn(choice.layout, to) }) Seq(choice)
    else Seq(choice, choice.claiming(Claim(pairs.distinct, shared = false)))
  }

  /** Hashed columns, each with a wished one that equals it. */
  private def wished(choice: Alternative, wishes: Seq[Wish]): Seq[(Attribute, Attribute)] = {
    val wanted = wishes.flatMap(_.keys).collect { case a: Attribute => a }
    for {
      hashed <- HashPartitionings.hashes(choice.layout)
      from <- hashed.keys.collect { case a: Attribute => a }
      to <- wanted
      if facts(choice.operator).equalTo(from.exprId)(to.exprId) &&
        Equalities.sameBits(from.dataType, to.dataType) && choice.operator.outputSet.contains(to)
    } yield (from, to)
  }

  private def hashedOn(layout: Partitioning, key: Attribute): Boolean =
    HashPartitionings.hashes(layout).exists(_.keys.exists(_.semanticEquals(key)))
}
