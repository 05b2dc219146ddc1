package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

import io.colocate.facts.joins.JoinSemantics
import io.colocate.report.{Finding, Findings, HyperJoinReasons, Reason, Shuffles}

/** Reports which joins with a robust table became hyper-joins, and why the others did not. */
private[hyperjoin] object HyperJoinFindings {

  private val Capability = HyperJoinReasons.Capability

  /** Why a join is done before others. */
  val Order: TreeNodeTag[Reason] = TreeNodeTag[Reason]("colocate.hyperjoin.order")

  /** "hyper-join: INNER join (a.k = b.k)" */
  def taken(join: Join, choice: HyperJoinChoice): Unit = {
    val about = text(join)
    Findings.put(join,
      Finding.taken(Capability, "hyper-join", "Join", Seq(about), s"hyper-join: $about",
        choice.reason +: order(join), Shuffles(choice.spared, choice.moved)))
  }

  def kept(join: Join, reason: Reason): Unit = {
    val about = text(join)
    Findings.put(join,
      Finding.kept(Capability, "no hyper-join", "Join", Seq(about), s"no hyper-join: $about",
        reason).because(order(join)))
  }

  private def text(join: Join): String = {
    val condition = join.condition.fold("")(" " + _.sql)
    s"${JoinSemantics.name(join.joinType)} join$condition"
  }

  private def order(join: Join): Seq[Reason] = join.getTagValue(Order).toSeq
}
