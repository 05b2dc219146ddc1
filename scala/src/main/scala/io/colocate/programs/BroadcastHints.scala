package io.colocate.programs

import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, JoinSelectionHelper}
import org.apache.spark.sql.catalyst.plans.logical.{BROADCAST, Join, LogicalPlan}
import org.apache.spark.sql.execution.{LocalTableScanExec, RangeExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledJoin}

import io.colocate.facts.estimated.Estimates
import io.colocate.facts.proved.Proofs

/**
 * A hint that has Spark broadcast an input which it would not broadcast by itself.
 *
 * @param hint   `BROADCAST(o)`
 * @param hinted the whole text of the query with it
 * @param bytes  what is broadcast, as estimated
 */
final case class BroadcastHint(hint: String, hinted: String, bytes: Double)

/**
 * Hints that a query could have. Each is tried: what counts is the plan that Spark makes of the text with it, so an
 * outer join is never asked to broadcast the side whose rows it keeps.
 *
 * @param most   bytes of an input that may be broadcast. One of unknown size may not
 * @param parsed reads a text as the session does
 */
final class BroadcastHints(plans: SparkPlans, most: Double, parsed: String => LogicalPlan)
    extends JoinSelectionHelper {

  private val estimates = new Estimates(new Proofs)

  def of(text: String): Seq[BroadcastHint] = {
    val plain = plans.operators(plans.of(parsed(text)))
    if (!plain.exists(shufflesFew)) Nil
    else
      for {
        block <- SelectBlocks.of(text)
        input <- block.inputs
        hint = s"BROADCAST($input)"
        hinted = block.withHint(hint)
        more = plans.operators(plans.of(parsed(hinted))).flatMap(asked).diff(plain.flatMap(asked))
        if more.nonEmpty && more.forall(_.exists(_ <= most)) && more.flatten.sum <= most
      } yield BroadcastHint(hint, hinted, more.flatten.sum)
  }

  private def shufflesFew(operator: SparkPlan): Boolean = operator match {
    case join: ShuffledJoin => join.children.exists(bytes(_).exists(_ <= most))
    case _ => false
  }

  /** What a join broadcasts because of a hint alone; None inside if its size is not known. */
  private def asked(operator: SparkPlan): Option[Option[Double]] = operator match {
    case join: BroadcastHashJoinExec =>
      join.logicalLink.collect { case Join(left, right, _, _, hint) =>
        join.buildSide match {
          case BuildLeft => (hint.leftHint, left, join.left)
          case BuildRight => (hint.rightHint, right, join.right)
        }
      }.collect {
        case (Some(hint), side, built)
            if hint.strategy.contains(BROADCAST) &&
              !canBroadcastBySize(side, plans.session.sessionState.conf) =>
          bytes(built)
      }
    case _ => None
  }

  /** A size that hangs on an assumption, or on the size of files, is not known. */
  private def bytes(side: SparkPlan): Option[Double] = {
    val known = estimates(side)
    if (known.assumed || !side.collectLeaves().forall(isCounted)) None
    else known.bytes(side.output)
  }

  private def isCounted(leaf: SparkPlan): Boolean = leaf match {
    case _: LocalTableScanExec | _: RangeExec => true
    case table =>
      table.logicalLink.exists(_.exists {
        case LogicalRelation(_, _, Some(table), _, _) => table.stats.exists(_.rowCount.isDefined)
        case _ => false
      })
  }
}
