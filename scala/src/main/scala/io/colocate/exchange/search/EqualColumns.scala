package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.Partitioning

import io.colocate.exchange.claims.Equal
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.{ProvedEquality, Proofs}

/**
 * If a filter, a join or a second name makes columns equal, a partitioning on one is a partitioning on the
 * other:
 *
 * {{{
 *   ... GROUP BY b                                  ... GROUP BY b
 *   +- Filter a = b           hashed on a    =>     +- claim a = b       hashed on a, and on b
 *      +- Exchange [a]                                 +- Filter a = b
 * }}}
 *
 * Valid where it is proved that both columns hold the same bits, or are both NULL, in every row
 * ([[ProvedEquality]]). Counter-example: the columns that an outer join compares. In a row without a match,
 * only one of them is NULL.
 */
final class EqualColumns(proofs: Proofs) {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] = {
    val pairs =
      if (choice.facts.isEmpty && !choice.hasUsersNumber) wished(choice, wishes) else Nil
    if (pairs.forall(pair => hashedOn(choice.partitioning, pair.to))) Seq(choice)
    else Seq(choice, choice.claiming(pairs.map(Equal(_)): _*))
  }

  /** Hashed columns, each with an equal column of an interesting partitioning. */
  private def wished(choice: Alternative, wishes: Seq[Wish]): Seq[ProvedEquality] = {
    val proved = proofs(choice.operator)
    if (proved.equal.isEmpty) Nil
    else {
      val wanted = wishes.flatMap(_.keys).collect { case a: Attribute => a }
      val pairs = for {
        hashed <- HashPartitionings.hashes(choice.partitioning)
        from <- hashed.keys.collect { case a: Attribute => a }
        to <- wanted if choice.operator.outputSet.contains(to)
      } yield (from, to)
      pairs.distinct.flatMap { case (from, to) => proved.equality(from, to) }
    }
  }

  private def hashedOn(partitioning: Partitioning, key: Attribute): Boolean =
    HashPartitionings.hashes(partitioning).exists(_.keys.exists(_.semanticEquals(key)))
}
