package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.exchange.partitioning.claims.Determined
import io.colocate.facts.proved.Proofs

/**
 * Declares that rows lie together for columns that determine those by which they are hashed; [[Determined]]
 * has the plan and the counter-example.
 */
final class DeterminedKeys(proofs: Proofs) {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] =
    choice.operator match {
      case _: BaseJoinExec | _: FilterExec | _: BaseAggregateExec
          if wishes.nonEmpty && !choice.hasUsersNumber =>
        val claimed = wishes.flatMap(determined(choice, _)).distinct
        if (claimed.isEmpty) Seq(choice) else Seq(choice, choice.claiming(claimed: _*))
      case _ => Seq(choice)
    }

  private def determined(choice: Alternative, wish: Wish): Option[Determined] = {
    val output = choice.operator.outputSet
    val columns = wish.keys.collect { case a: Attribute if output.contains(a) => a }
    val hashed = HashPartitionings.hashes(choice.partitioning).map(_.keys)
    for {
      proof <-
        if (columns.length < wish.keys.length || hashed.isEmpty) None
        else proofs(choice.operator).dependency(columns)
      if !hashed.exists(HashPartitionings.positions(_, columns).isDefined)
      if hashed.exists(proof.determines)
    } yield Determined(proof)
  }
}
