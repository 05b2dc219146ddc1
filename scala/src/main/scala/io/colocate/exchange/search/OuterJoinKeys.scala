package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.claims.OuterKeys
import io.colocate.facts.expressions.EitherKey

/**
 * Declares the keys of an outer join that an operator above asks for as COALESCE of both sides' keys, or in
 * another spelling ([[EitherKey]]); [[OuterKeys]] has the plan and the counter-examples.
 */
object OuterJoinKeys {

  /** The choice, and the same with a claim if that gives an interesting partitioning. */
  def alternatives(choice: Alternative, wishes: Seq[Wish]): Seq[Alternative] =
    choice.operator match {
      case join: BaseJoinExec if wishes.nonEmpty && !choice.split && !choice.hasUsersNumber =>
        val keys = wished(join, wishes)
        lazy val claimed = choice.claiming(OuterKeys(keys))
        if (keys.isEmpty || claimed.partitioning == choice.partitioning) Seq(choice)
        else Seq(choice, claimed)
      case _ => Seq(choice)
    }

  /** The keys of the join by their places, as the interesting partitionings write them. */
  private def wished(join: BaseJoinExec, wishes: Seq[Wish]): Seq[(Int, Expression)] = for {
    ((left, right), place) <- join.leftKeys.zip(join.rightKeys).zipWithIndex
    asked = wishes.flatMap(_.keys).find(EitherKey(_, left, right))
    both = wishes.exists(wish =>
      Seq(left, right).forall(k => wish.keys.exists(_.semanticEquals(k))))
    key <- asked.orElse(Option.when(both)(EitherKey.of(left, right)))
  } yield (place, key)
}
