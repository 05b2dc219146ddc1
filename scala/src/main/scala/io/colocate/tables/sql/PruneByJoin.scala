package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.{DoubleType, FloatType}

import io.colocate.facts.types.Orderable
import io.colocate.rule.OptionalLogicalRule
import io.colocate.shims.SparkDynamicPruning
import io.colocate.tables.scan.{FileKeys, PinnedFileIndex}
import io.colocate.tables.versions.TableScan

/**
 * Lets a scan leave out files at run time, by the keys that the other side of a join turns out to
 * have. Spark does so for partition columns; here each file is a partition of its own, told by a
 * hidden column, and what is asked is whether its range of the key holds one of the keys.
 *
 * {{{
 *   Join (day = d_day)                       Join (day = d_day)
 *   :- Relation sales             =>         :- Project (without the hidden column)
 *   +- Filter (d_year = 1999)                :  +- Filter dynamicpruning (keys(day) in file, days)
 *      +- Relation days                      :     +- Relation sales, file
 *                                            +- Filter (d_year = 1999)
 *                                               +- Relation days
 * }}}
 *
 * Valid where the join drops rows of the scan without a match: both sides of an inner join, the left
 * side of a left semi join. (The outer joins that drop rows of one side keep those of the other, which
 * Spark then cannot broadcast.) Counter-example: the left side of a left outer join, whose rows stay
 * without a match.
 *
 * Subqueries come with the query around them, as in [[PinTables]].
 *
 * It costs nothing where it does not help: the keys are those that the join broadcasts anyway, and
 * where it broadcasts none, Spark puts TRUE in the place of the filter.
 */
object PruneByJoin extends OptionalLogicalRule {

  override def concerns(plan: LogicalPlan): Boolean = plan match {
    case _: Subquery => false
    case _ => conf.dynamicPartitionPruningEnabled && readsTable(plan)
  }

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithSubqueries {
    case join @ ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, _, _, left, right, _) =>
      val (small, big) = (right.stats.sizeInBytes, left.stats.sizeInBytes)
      if (prunedBy(left, right) || prunedBy(right, left)) join
      else if (small <= big && (joinType == Inner || joinType == LeftSemi))
        join.copy(left = pruned(left, leftKeys, right, rightKeys))
      else if (big < small && joinType == Inner)
        join.copy(right = pruned(right, rightKeys, left, leftKeys))
      else join
  }

  private def readsTable(plan: LogicalPlan): Boolean =
    plan.collectFirstWithSubqueries { case TableScan(_, _, _: PinnedFileIndex) => () }.nonEmpty

  /** Spark calls a rule again to see that it changes nothing; what is pruned may be smaller then. */
  private def prunedBy(plan: LogicalPlan, other: LogicalPlan): Boolean = plan.exists {
    case Filter(condition, _) =>
      condition.exists {
        case keys: DynamicPruningSubquery =>
          keys.pruningKey.isInstanceOf[FileKeys] && keys.buildQuery.fastEquals(other)
        case _ => false
      }
    case _ => false
  }

  private def pruned(
      plan: LogicalPlan,
      keys: Seq[Expression],
      other: LogicalPlan,
      otherKeys: Seq[Expression]): LogicalPlan =
    if (!selective(other) || !broadcast(other)) plan
    else
      keys.indices.foldLeft(plan) { (result, i) =>
        keys(i) match {
          case key: AttributeReference if ranged(key) =>
            insert(result, key)(SparkDynamicPruning(_, other, otherKeys, i)).getOrElse(result)
          case _ => result
        }
      }

  /** Floating keys are normalised before they are compared, which ranges know nothing of. */
  private def ranged(key: AttributeReference): Boolean = key.dataType match {
    case FloatType | DoubleType => false
    case other => Orderable(other)
  }

  /** Without a filter the other side most likely has every key. */
  private def selective(plan: LogicalPlan): Boolean = plan.exists {
    case Filter(condition, _) =>
      condition.exists {
        case _: BinaryComparison | _: In | _: InSet | _: StringPredicate | _: MultiLikeBase => true
        case _ => false
      }
    case _ => false
  }

  private def broadcast(plan: LogicalPlan): Boolean =
    conf.autoBroadcastJoinThreshold > 0 &&
      plan.stats.sizeInBytes <= conf.autoBroadcastJoinThreshold

  /** Puts the filter on the scan that a key comes from, where a filter above may go down to it. */
  private def insert(plan: LogicalPlan, key: AttributeReference)(
      filter: Expression => Expression): Option[LogicalPlan] = plan match {
    case TableScan(relation, fs, files: PinnedFileIndex) =>
      onScan(relation, fs, files, key)(filter)
    case Filter(condition, _) if asked(condition, key) => None
    case Filter(condition, child) if condition.deterministic =>
      insert(child, key)(filter).map(Filter(condition, _))
    case Project(list, child) if list.forall(_.deterministic) =>
      source(list, key).flatMap(insert(child, _)(filter)).map(Project(list, _))
    case join: Join if join.left.outputSet.contains(key) && keepsLeft(join.joinType) =>
      insert(join.left, key)(filter).map(left => join.copy(left = left))
    case join: Join if join.right.outputSet.contains(key) && keepsRight(join.joinType) =>
      insert(join.right, key)(filter).map(right => join.copy(right = right))
    case _ => None
  }

  /** Spark calls a rule again to see that it changes nothing more. */
  private def asked(condition: Expression, key: AttributeReference): Boolean = condition.exists {
    case FileKeys(_, column, _) => column == key.name
    case _ => false
  }

  /** A filter on the left may be applied before the join. */
  private def keepsLeft(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | LeftOuter | LeftSemi | LeftAnti => true
    case _ => false
  }

  private def keepsRight(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | RightOuter => true
    case _ => false
  }

  private def source(
      list: Seq[NamedExpression],
      key: AttributeReference): Option[AttributeReference] =
    list.find(_.exprId == key.exprId).collect {
      case a: AttributeReference => a
      case Alias(a: AttributeReference, _) => a
    }

  private def onScan(
      relation: LogicalRelation,
      fs: HadoopFsRelation,
      files: PinnedFileIndex,
      key: AttributeReference)(filter: Expression => Expression): Option[LogicalPlan] =
    files.ranges(key.name, key.dataType).map { ranges =>
      files.hiddenColumn.flatMap(name => relation.output.find(_.name == name)) match {
        case Some(file) => Filter(filter(FileKeys(file, key.name, ranges)), relation)
        case None =>
          val told = files.byFile
          val schema = told.partitionSchema
          val file = DataTypeUtils.toAttributes(schema).head
          val scan = relation.copy(output = relation.output :+ file,
            relation = fs.copy(location = told, partitionSchema = schema)(fs.sparkSession))
          Project(relation.output, Filter(filter(FileKeys(file, key.name, ranges)), scan))
      }
    }
}
