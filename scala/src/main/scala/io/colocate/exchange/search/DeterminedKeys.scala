package io.colocate.exchange.search

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.exchange.claims.Determined
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.{ExchangeReasons, Reason}

/**
 * Declares that rows lie together for columns that determine those by which they are hashed; [[Determined]]
 * has the plan and the counter-example.
 */
final class DeterminedKeys(context: SearchContext) {
  import context.proofs

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
    val asked = columns.length == wish.keys.length && hashed.nonEmpty &&
      !hashed.exists(HashPartitionings.positions(_, columns).isDefined)
    val found = for {
      proof <- if (asked) proofs(choice.operator).dependency(columns) else None
      if hashed.exists(proof.determines)
    } yield Determined(proof)
    if (asked && found.isEmpty) noteDistrusted(choice, columns, hashed)
    found
  }

  private def noteDistrusted(
      choice: Alternative,
      columns: Seq[Attribute],
      hashed: Seq[Seq[Expression]]): Unit = {
    val facts = proofs(choice.operator)
    hashed.iterator.map(facts.distrusted(columns, _)).find(_.nonEmpty).foreach { declared =>
      context.refuse(choice.operator, columns,
        Reason(ExchangeReasons.DeclaredWithoutRely, "columns" -> HashPartitionings.text(columns),
          "declared" -> declared.map(_.text).mkString("; ")))
    }
  }
}
