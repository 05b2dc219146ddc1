package io.colocate.hyperjoin.plan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.JoinSelectionHelper
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.report.{HyperJoinReasons, Reason}

/**
 * Decides whether a join of two robust tables, or of a robust table with any other input, can do with
 * fewer shuffles or none, and how the files are grouped for it.
 *
 * @param slots    tasks that run at the same time
 * @param hashable most bytes of rows that a task can hash
 */
final private[hyperjoin] class HyperJoinPlanner(conf: SQLConf, slots: Int, hashable: => Long)
    extends JoinSelectionHelper {

  import HyperJoinPlanner._

  // Lazy, because most joins have no robust table and need no figures of the cluster.
  lazy val terms: CostParameters = CostParameters(conf, slots, hashable)

  /** None for a join without a robust table; otherwise the reason against a hyper-join, or the choice. */
  def apply(join: Join): Option[Either[Reason, HyperJoinChoice]] = join match {
    case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, _, _, left, right, _) =>
      val sides = Seq(Place(Side.Left, left, leftKeys), Place(Side.Right, right, rightKeys))
      Option.when(sides.exists(_.table.nonEmpty)) {
        remembered(join, Asked(joinType, leftKeys.zip(rightKeys), left, right, terms)) {
          choose(join, joinType, sides)
        }
      }
    case _ => None
  }

  /**
   * Keeps the answer, as adaptive execution plans a join again whenever another part of the query has
   * run.
   */
  private def remembered(join: Join, asked: Asked)(
      choose: => Either[Reason, HyperJoinChoice]): Either[Reason, HyperJoinChoice] =
    join.getTagValue(Answered).filter(_._1 == asked) match {
      case Some((_, answer)) => answer
      case None =>
        val answer = choose
        join.setTagValue(Answered, (asked, answer))
        answer
    }

  private def choose(
      join: Join,
      joinType: JoinType,
      sides: Seq[Place]): Either[Reason, HyperJoinChoice] =
    declined(join).toLeft(()).flatMap { _ =>
      val options = both(joinType, sides).toSeq ++ one(joinType, sides)
      val worth = options.flatMap(_.toOption).filter(terms.forced || _.gain > 0)
      val best = if (terms.forced) worth.headOption else worth.maxByOption(_.gain)
      best.toRight(options.head.fold(identity, notWorth))
    }

  private def declined(join: Join): Option[Reason] =
    if (!JoinSemantics.known(join.joinType))
      Some(Reason(HyperJoinReasons.UnknownJoin, "join" -> JoinSemantics.name(join.joinType)))
    else if (hinted(join)) Some(Reason(HyperJoinReasons.JoinHint, "hint" -> join.hint.toString))
    else if (!terms.forced && canPlanAsBroadcastHashJoin(join, conf) && !begun(join))
      Some(Reason(HyperJoinReasons.BroadcastJoin))
    else None

  /**
   * True if the user gave a hint. Adaptive execution adds hints too, once our shuffle for the join has
   * run.
   */
  private def hinted(join: Join): Boolean = !join.hint.isEmpty && !begun(join)

  /**
   * True if our shuffle for the join has run. Its rows are already partitioned as the join needs them,
   * so a small side is hashed in place. Broadcasting it would save nothing and could lose the
   * partitioning that operators above rely on; adaptive execution would then keep its current plan,
   * which hashes the table.
   */
  private def begun(join: Join): Boolean = Seq(join.left, join.right).exists(OtherSide.shuffled)

  private def both(joinType: JoinType, sides: Seq[Place]): Option[Either[Reason, HyperJoinChoice]] =
    for (left <- sides.head.table; right <- sides.last.table)
      yield new BothStored(terms, joinType,
        new JoinSides(left, sides.head.keys, right, sides.last.keys))()

  private def one(joinType: JoinType, sides: Seq[Place]): Seq[Either[Reason, HyperJoinChoice]] =
    for ((stored, other) <- sides.zip(sides.reverse); table <- stored.table)
      yield new OneStored(terms, joinType, stored.side, table, stored.keys,
        new OtherSide(other.plan, other.keys, conf))()

  private def notWorth(choice: HyperJoinChoice): Reason = {
    val code =
      if (choice.reason.code == HyperJoinReasons.HyperJoin) HyperJoinReasons.OverlapTooWide
      else HyperJoinReasons.NotWorthShuffling
    choice.reason.copy(code = code)
  }
}

private[hyperjoin] object HyperJoinPlanner {

  def apply(session: SparkSession, conf: SQLConf): HyperJoinPlanner = {
    val context = session.sparkContext
    new HyperJoinPlanner(conf, context.defaultParallelism, HashMemory.hashable(context))
  }

  private case class Place(side: Side, plan: LogicalPlan, keys: Seq[Expression]) {
    lazy val table: Option[TableSide] = TableSide.of(plan)
  }

  /** What an answer depends on. A rule copies the tags of a node to the node that replaces it. */
  private case class Asked(
      joinType: JoinType,
      keys: Seq[(Expression, Expression)],
      left: LogicalPlan,
      right: LogicalPlan,
      terms: CostParameters)

  private val Answered =
    TreeNodeTag[(Asked, Either[Reason, HyperJoinChoice])]("colocate.hyperjoin.answered")
}
