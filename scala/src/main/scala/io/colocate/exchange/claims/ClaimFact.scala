package io.colocate.exchange.claims

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.facts.proved.Declared
import io.colocate.report.Reason

/** A fact about the rows of an operator, from which more is known of how they are partitioned. */
trait ClaimFact {

  /**
   * The partitionings that hold at once, with what the fact adds.
   *
   * @param present those that are known without it
   */
  def derive(operator: SparkPlan, present: Seq[Partitioning]): Seq[Partitioning]

  /** What somebody has declared of a table, on which the partitionings that follow rest. */
  def declared(operator: SparkPlan): Seq[Declared] = Nil

  /**
   * The fact as explain() names it, for a reader of a partitioning on these keys; None if it has nothing to
   * do with them.
   */
  def reason(keys: Seq[Expression]): Option[Reason]

  /** The fact in the text of a plan. */
  def text: String
}

/**
 * A fact about where whole rows lie, whatever the keys. That a removed shuffle rests on it is seen only by
 * leaving it out.
 */
trait OfWholeRows extends ClaimFact {

  /** The keys of what it adds: these, or the first of others. */
  def added(operator: SparkPlan, keys: Seq[Expression]): Seq[Expression] = {
    val all = derive(operator, Nil).collect { case e: Expression => e.children }
    all.find(HashPartitionings.sameKeys(_, keys)).orElse(all.headOption).getOrElse(Nil)
  }
}

object ClaimFact {

  /** The partitioning of an operator's rows, given some facts. */
  def derive(facts: Seq[ClaimFact], operator: SparkPlan, present: Partitioning): Partitioning = {
    val members = HashPartitionings.members(present)
    val derived = facts.foldLeft(members)((known, fact) => fact.derive(operator, known))
    // One that serves more keys equals the other. Expand does not say how many partitions it has.
    if (derived.corresponds(members)(_ eq _)) present
    else
      derived.filterNot(_.isInstanceOf[UnknownPartitioning])
        .filter(p => present.numPartitions == 0 || p.numPartitions == present.numPartitions) match {
        case Seq() => present
        case Seq(one) => one
        case several => PartitioningCollection(several)
      }
  }
}
