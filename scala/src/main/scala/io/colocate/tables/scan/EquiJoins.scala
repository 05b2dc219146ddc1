package io.colocate.tables.scan

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, EqualTo, Exists, Expression, ExprId, InSubquery, NamedExpression, Not, PredicateHelper}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Project, SubqueryAlias}
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, IN_SUBQUERY}
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.colocate.rule.Statements
import io.colocate.tables.queries.AskedJoin

/**
 * The equi-joins of a query between tables, as each scan sees them.
 *
 * {{{
 *   Join (l_partkey = k)
 *   :- Filter (l_price > 3)                  lineitem: l_partkey to p_partkey of part
 *   :  +- Relation lineitem            =>    part: p_partkey to l_partkey of lineitem
 *   +- Project (p_partkey AS k)
 *      +- Relation part
 * }}}
 *
 * A key is seen if it is a column of a scan below projections, filters and other joins, which leave rows
 * where they are stored. Counter-example: a key that is computed, or that comes out of an aggregate: these
 * rows are not joined as the table has them, whatever it is cut by.
 */
final private[tables] class EquiJoins private (joins: Map[ExprId, Seq[AskedJoin]]) {

  def of(scan: LogicalRelation): Seq[AskedJoin] =
    scan.output.headOption.flatMap(first => joins.get(first.exprId)).getOrElse(Nil)
}

private[tables] object EquiJoins extends Logging {

  private val none = new EquiJoins(Map.empty)

  /**
   * Keeping account is no part of the query, which must not fail because of it.
   *
   * @param tableOf the path of the table that a relation scans, if it is one of ours
   */
  def apply(plan: LogicalPlan)(tableOf: LogicalRelation => Option[Path]): EquiJoins =
    if (!Statements.have(plan)(mayJoin)) none
    else
      try {
        val visit = new Visit(tableOf)
        (plan +: plan.subqueriesAll).foreach(visit.columns)
        new EquiJoins(visit.found.toSeq.distinct.groupMap(_._1)(_._2))
      } catch {
        case NonFatal(e) =>
          logWarning("It is not noted by which columns a query joins its tables.", e)
          none
      }

  private def mayJoin(plan: LogicalPlan): Boolean = plan match {
    case _: Join => true
    case _ => plan.containsAnyPattern(IN_SUBQUERY, EXISTS_SUBQUERY)
  }

  /** @param scan the id of the first column of its scan */
  final private case class Column(scan: ExprId, table: Path, name: String)

  final private class Visit(tableOf: LogicalRelation => Option[Path]) extends PredicateHelper {

    val found = mutable.ArrayBuffer.empty[(ExprId, AskedJoin)]

    /** The columns of scans that a plan hands on, by the ids that they have there. */
    def columns(plan: LogicalPlan): Map[ExprId, Column] = plan match {
      case scan: LogicalRelation => tableOf(scan).fold(Map.empty[ExprId, Column])(columns(scan, _))
      case Project(list, child) =>
        val below = columns(child)
        list.flatMap(named => handed(named).flatMap(below.get).map(named.exprId -> _)).toMap
      case Filter(condition, child) =>
        val below = columns(child)
        splitConjunctivePredicates(condition).foreach(byRows(_, below))
        below
      case _: SubqueryAlias => columns(plan.children.head)
      case ExtractEquiJoinKeys(_, leftKeys, rightKeys, _, _, left, right, _) =>
        val (ofLeft, ofRight) = (columns(left), columns(right))
        note(leftKeys.zip(rightKeys), ofLeft, ofRight)
        ofLeft ++ ofRight
      case join: Join => columns(join.left) ++ columns(join.right)
      case other =>
        other.children.foreach(columns)
        Map.empty
    }

    /** IN and EXISTS become joins later than files are chosen. NOT IN does too, and shuffles nothing. */
    private def byRows(condition: Expression, outer: Map[ExprId, Column]): Unit = condition match {
      case InSubquery(values, query) =>
        note(values.zip(query.plan.output) ++ equalities(query.joinCond), outer,
          columns(query.plan))
      case exists: Exists => note(equalities(exists.joinCond), outer, columns(exists.plan))
      case Not(exists: Exists) => byRows(exists, outer)
      case _ =>
    }

    /** Both ways, as either side may be of the query outside. */
    private def equalities(conditions: Seq[Expression]): Seq[(Expression, Expression)] =
      conditions.collect { case EqualTo(a, b) => Seq(a -> b, b -> a) }.flatten

    private def columns(scan: LogicalRelation, table: Path): Map[ExprId, Column] =
      scan.output.map(column =>
        column.exprId -> Column(scan.output.head.exprId, table, column.name)).toMap

    private def handed(named: NamedExpression): Option[ExprId] = named match {
      case Alias(column: Attribute, _) => Some(column.exprId)
      case column: Attribute => Some(column.exprId)
      case _ => None
    }

    private def column(key: Expression, among: Map[ExprId, Column]): Option[Column] = key match {
      case column: Attribute => among.get(column.exprId)
      case _ => None
    }

    private def note(
        keys: Seq[(Expression, Expression)],
        ofLeft: Map[ExprId, Column],
        ofRight: Map[ExprId, Column]): Unit =
      keys.flatMap { case (a, b) => column(a, ofLeft).zip(column(b, ofRight)) }.groupBy {
        case (own, other) => (own.scan, other.scan)
      }.foreach { case ((left, right), same) =>
        val (ofLeft, ofRight) = same.unzip
        found += left -> joined(ofLeft, ofRight)
        found += right -> joined(ofRight, ofLeft)
      }

    private def joined(own: Seq[Column], other: Seq[Column]): AskedJoin =
      AskedJoin(own.map(_.name), other.head.table.toString, other.map(_.name))
  }
}
