package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

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
      if (choice.facts.isEmpty && !choice.hasUsersNumber) wishes.flatMap(wished(choice, _)).distinct
      else Nil
    if (pairs.isEmpty) Seq(choice)
    else Seq(choice, choice.claiming(pairs.map(Equal(_)): _*))
  }

  /** Hashed columns that are none of the wish, each with an equal column of it; none if it is met as it is. */
  private def wished(choice: Alternative, wish: Wish): Seq[ProvedEquality] = {
    val proved = proofs(choice.operator)
    lazy val hashes = HashPartitionings.hashes(choice.partitioning).map(_.keys)
    if (proved.equal.isEmpty || hashes.exists(_.forall(isAmong(_, wish)))) Nil
    else
      for {
        from <- hashes.flatten.distinct.collect { case a: Attribute if !isAmong(a, wish) => a }
        to <- wish.keys.collect { case a: Attribute => a }
        if choice.operator.outputSet.contains(to)
        equality <- proved.equality(from, to)
      } yield equality
  }

  private def isAmong(key: Expression, wish: Wish): Boolean =
    wish.keys.exists(_.semanticEquals(key))
}
