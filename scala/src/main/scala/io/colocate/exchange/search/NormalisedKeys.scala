package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Attribute

import io.colocate.exchange.claims.Normalised
import io.colocate.exchange.partitioning.HashPartitionings

/**
 * Declares that rows hashed on a floating-point column are hashed on what a join compares in its place;
 * [[Normalised]] has the plan and the counter-example.
 */
object NormalisedKeys {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] = {
    def isWished(column: Attribute) =
      wishes.exists(_.keys.exists(Normalised.isComparedBy(column, _)))
    val columns =
      if (wishes.isEmpty || choice.hasUsersNumber) Nil
      else
        HashPartitionings.hashes(choice.partitioning).flatMap(_.keys).collect {
          case column: Attribute if isWished(column) => column
        }.distinct
    if (columns.isEmpty) Seq(choice) else Seq(choice, choice.claiming(Normalised(columns)))
  }
}
