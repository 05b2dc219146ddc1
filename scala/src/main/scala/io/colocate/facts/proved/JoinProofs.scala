package io.colocate.facts.proved

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.joins.BaseJoinExec

import io.colocate.facts.expressions.Equalities
import io.colocate.facts.joins.{JoinSemantics, Side}

/**
 * Proves facts about the rows of a join from the facts proved for its sides.
 *
 * {{{
 *   l LEFT JOIN (SELECT k, 1 AS one, k AS copy FROM r GROUP BY k) ON l.id = k
 * }}}
 *
 * `k = copy` holds in each row, because both are NULL if a row of l finds no match. `one` is no constant,
 * because it is NULL there too. `id` is a key if it was one before, because each row of l finds at most one
 * row. `k` is a lax key if `id` was a key; otherwise it may occur several times. An inner join makes its
 * compared columns equal; a left outer join does not.
 */
private[proved] object JoinProofs {

  def apply(join: BaseJoinExec, left: ProvedFacts, right: ProvedFacts): ProvedFacts = {
    val joinType = join.joinType
    if (!JoinSemantics.known(joinType)) ProvedFacts.Nothing
    else if (JoinSemantics.givesLeft(joinType)) left
    else {
      val l = kept(join, Side.Left, left, once = right.findsOne(join.rightKeys))
      val r = kept(join, Side.Right, right, once = left.findsOne(join.leftKeys))
      val rows =
        ProvedFacts(l.constants ++ r.constants, l.equal ++ r.equal, l.keys ++ r.keys,
          l.dependencies ++ r.dependencies)
      if (JoinSemantics.pairsOnly(joinType)) meetingConditions(join, rows) else rows
    }
  }

  /** @param once true if each row of the side matches at most one row of the other side */
  private def kept(
      join: BaseJoinExec,
      side: Side,
      facts: ProvedFacts,
      once: Boolean): ProvedFacts = {
    val found = if (once) facts else facts.repeated
    if (JoinSemantics.fillsWithNulls(join.joinType, side)) {
      val notNull = join.children(side.child).output.filterNot(_.nullable).map(_.exprId).toSet
      found.copy(constants = Set.empty, keys = found.keys.map(_.lax),
        dependencies = Dependency.filled(found.dependencies, notNull))
    } else found
  }

  private def meetingConditions(join: BaseJoinExec, rows: ProvedFacts): ProvedFacts = {
    val pairs =
      join.leftKeys.zip(join.rightKeys).flatMap { case (a, b) => Equalities.pair(a, b) }
    val keys = (join.leftKeys ++ join.rightKeys).collect { case a: Attribute => a.exprId }.toSet
    rows.withoutNull(keys ++ join.condition.toSeq.flatMap(Equalities.notNull))
      .equating(pairs ++ join.condition.toSeq.flatMap(Equalities.pairs))
  }
}
