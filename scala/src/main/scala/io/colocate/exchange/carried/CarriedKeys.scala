package io.colocate.exchange.carried

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.execution.joins.{ShuffledHashJoinExec, ShuffledJoin, SortMergeJoinExec}

import io.colocate.exchange.claims.{Carried, ColocateClaim}
import io.colocate.exchange.partitioning.Rebuilt
import io.colocate.facts.proved.{Lookup, Lookups, Proofs}
import io.colocate.facts.types.EqualBits

/**
 * Compares a further column in a join, which the join's own key determines by one row of one stored table,
 * so that rows may stay where that column has placed them. The key may have several columns.
 *
 * {{{
 *   SortMergeJoin [l.u], [r.u]                      SortMergeJoin [l.u, l.k], [r.u, r.k]
 *   :- Exchange [l.u]                               :- HashAggregate [l.u, l.k]
 *   :  +- HashAggregate [l.u]                       :  +- SortMergeJoin [l.k], [s.k]
 *   :     +- Exchange [l.u]                   =>    :     :- Exchange [l.k] ... table t
 *   :        +- SortMergeJoin [l.k], [s.k]          :     +- Exchange [s.k]
 *   :           :- Exchange [l.k] ... table t       +- ... the same of table t as r
 *   :           +- Exchange [s.k]
 *   +- ... the same of table t as r
 * }}}
 *
 * Valid if both sides have k from the same version of one table in which u determines k, and k is never
 * NULL: rows that are equal on u then are equal on k, so the join finds the same pairs, and a grouping by u
 * has the same groups with k among its columns. Spark sees k among the keys and verifies the partitioning
 * by itself. Counter-examples: the table has changed between two reads of it; a column of one name that one
 * side computes; `UNIQUE (u)` where u is NULL in many rows, each with a k of its own.
 *
 * Where one version of a table is read twice, its dependency holds of both reads together: the second case
 * of the published work on co-hashing keys (SIGMOD 2024).
 */
final class CarriedKeys(proofs: Proofs) {
  private val columns = new CarriedColumn(proofs)

  /** The plan with such columns in its joins; None if no join has one. */
  def apply(plan: SparkPlan): Option[SparkPlan] =
    if (!plan.collectLeaves().exists(leaf => Lookups.exist(proofs(leaf)))) None
    else {
      val extended = everywhere(plan)
      Option.when(extended ne plan)(extended)
    }

  private def everywhere(plan: SparkPlan): SparkPlan =
    Rebuilt(plan, plan.children.map(everywhere)) match {
      case join: ShuffledJoin => extended(join).getOrElse(join)
      case other => other
    }

  private def extended(join: ShuffledJoin): Option[SparkPlan] = {
    val pairs = join.leftKeys.zip(join.rightKeys).zipWithIndex.collect {
      case ((l: Attribute, r: Attribute), place) if EqualBits(l.dataType) => (place, l, r)
    }
    val l = pairs.map { case (place, left, _) => place -> left }.toMap
    val r = pairs.map { case (place, _, right) => place -> right }.toMap
    // A short key first, and keys in the order of the join.
    val shared = columns.placing(join.left, l).intersect(columns.placing(join.right, r))
      .sortBy(lookup => (lookup.by.length, lookup.by.map(_._1).min))
    (for {
      lookup <- shared.iterator
      (left, a) <- columns.carried(join.left, lookup.among(l), lookup).iterator
      (right, b) <- columns.carried(join.right, lookup.among(r), lookup).iterator
      if EqualBits(a.dataType) && !isCompared(join, a, b)
    } yield CarriedKeys.comparing(join, left, right, a, b, lookup)).nextOption()
  }

  private def isCompared(join: ShuffledJoin, a: Attribute, b: Attribute): Boolean =
    join.leftKeys.zip(join.rightKeys).exists { case (l, r) =>
      l.semanticEquals(a) && r.semanticEquals(b)
    }
}

object CarriedKeys {

  /** The columns that the query asks for, above a join that compares more. */
  private val Restoring = TreeNodeTag[Unit]("colocate.exchange.restoring")

  def isRestoring(operator: SparkPlan): Boolean = operator.getTagValue(Restoring).isDefined

  /**
   * True if a carried column goes through a shuffle or a broadcast. Adaptive execution would keep the
   * stage, with a column that the operators above do not know of when they are planned again.
   */
  def leavesItsStage(complete: SparkPlan): Boolean = complete.exists {
    case exchange: Exchange => CarriedColumn.isIn(exchange.child)
    case _ => false
  }

  private def comparing(
      join: ShuffledJoin,
      left: SparkPlan,
      right: SparkPlan,
      a: Attribute,
      b: Attribute,
      lookup: Lookup): SparkPlan = {
    val more = join match {
      case merge: SortMergeJoinExec =>
        merge.copy(merge.leftKeys :+ a, merge.rightKeys :+ b, left = left, right = right)
      case hash: ShuffledHashJoinExec =>
        hash.copy(hash.leftKeys :+ a, hash.rightKeys :+ b, left = left, right = right)
      case other => other
    }
    more.copyTagsFrom(join)
    CarriedColumn.mark(more, lookup)
    val asked = ProjectExec(join.output, more)
    asked.setTagValue(Restoring, ())
    ColocateClaim(asked, Seq(Carried(lookup)))
  }
}
