package io.colocate.tables.sql

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import io.colocate.facts.joins.{JoinSemantics, Side}
import io.colocate.facts.types.{EqualBits, Orderable}
import io.colocate.report.{Finding, Findings, TableReasons}
import io.colocate.rule.OptionalLogicalRule
import io.colocate.shims.SparkDynamicPruning
import io.colocate.tables.feed.ChangedFiles
import io.colocate.tables.scan.{FileKeys, PinnedFileIndex}
import io.colocate.tables.versions.TableScan

/**
 * Lets a scan skip files at run time, by the keys of the other side of a join. Spark does so for
 * partition columns. Here each file is a partition of its own, numbered by a hidden column, and is read
 * only if its range of the key holds one of the keys.
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
 * Valid where the join drops unmatched rows of the scan: both sides of an inner join, the left side of a
 * left semi join. (The outer joins that drop unmatched rows of one side keep those of the other, which
 * Spark then cannot broadcast.) Counter-example: the left side of a left outer join, which keeps its
 * unmatched rows.
 *
 * `l.k <=> r.k` lets files be left out too, but those with a NULL. The other side must be likely to have few of
 * the keys: it has a filter, or is a change of a table, or a list of rows.
 *
 * Subqueries are handled with the query around them, as in [[PinTables]].
 *
 * It costs nothing if it does not help: the join broadcasts the keys anyway, and if it does not, Spark
 * replaces the filter by TRUE.
 */
object PruneByJoin extends OptionalLogicalRule {

  override def concerns(plan: LogicalPlan): Boolean = plan match {
    case _: Subquery => false
    case _ => conf.dynamicPartitionPruningEnabled && TableScan.isIn[PinnedFileIndex](plan)
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

  override def failed(plan: LogicalPlan, error: Throwable): LogicalPlan = {
    Findings.put(plan,
      Finding.failed(TableReasons.Capability, "files are left out by the keys of a join",
        "prune-by-join", error))
    plan
  }

  /** Spark runs a rule again to check that it changes nothing; the pruned side may then be smaller. */
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
        val filter = SparkDynamicPruning(_: Expression, other, otherKeys, i)
        keys(i) match {
          case key: AttributeReference if ranged(key) =>
            insert(result, Key(key, nulls = false))(filter).getOrElse(result)
          case Coalesce(Seq(key: AttributeReference, _: Literal)) if ranged(key) =>
            insert(result, Key(key, nulls = true))(filter).getOrElse(result)
          case _ => result
        }
      }

  /**
   * @param nulls true if rows with NULL have a partner too, as those of `<=>`, which Spark joins by
   *              `coalesce(key, 0)`
   */
  private case class Key(column: AttributeReference, nulls: Boolean)

  /** Floating-point keys are normalised before they are compared, which ranges do not reflect. */
  private def ranged(key: AttributeReference): Boolean =
    Orderable(key.dataType) && EqualBits(key.dataType)

  /** Without a filter the other side most likely has every key, unless it is a change or a list of rows. */
  private def selective(plan: LogicalPlan): Boolean = plan.exists {
    case TableScan(_, _, _: ChangedFiles) | _: LocalRelation => true
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

  /** Puts the filter on the scan that a key comes from, if a filter above may be pushed down to it. */
  private def insert(plan: LogicalPlan, key: Key)(
      filter: Expression => Expression): Option[LogicalPlan] = plan match {
    case TableScan(relation, fs, files: PinnedFileIndex) =>
      onScan(relation, fs, files, key)(filter)
    case Filter(condition, _) if asked(condition, key) => None
    case Filter(condition, child) if condition.deterministic =>
      insert(child, key)(filter).map(Filter(condition, _))
    case Project(list, child) if list.forall(_.deterministic) =>
      source(list, key).flatMap(insert(child, _)(filter)).map(Project(list, _))
    case join: Join if passes(join, Side.Left, key) =>
      insert(join.left, key)(filter).map(left => join.copy(left = left))
    case join: Join if passes(join, Side.Right, key) =>
      insert(join.right, key)(filter).map(right => join.copy(right = right))
    case _ => None
  }

  /** True if the filter is there already: Spark runs a rule again to check that it changes nothing. */
  private def asked(condition: Expression, key: Key): Boolean = condition.exists {
    case FileKeys(_, column, _) => column == key.column.name
    case _ => false
  }

  private def passes(join: Join, side: Side, key: Key): Boolean =
    join.children(side.child).outputSet.contains(key.column) &&
      JoinSemantics.filterPasses(join.joinType, side)

  private def source(list: Seq[NamedExpression], key: Key): Option[Key] =
    list.find(_.exprId == key.column.exprId).collect {
      case a: AttributeReference => a
      case Alias(a: AttributeReference, _) => a
    }.map(column => key.copy(column = column))

  private def onScan(
      relation: LogicalRelation,
      fs: HadoopFsRelation,
      files: PinnedFileIndex,
      key: Key)(filter: Expression => Expression): Option[LogicalPlan] =
    files.ranges(key.column.name, key.column.dataType, key.nulls).map { ranges =>
      files.hiddenColumn.flatMap(name => relation.output.find(_.name == name)) match {
        case Some(file) => Filter(filter(FileKeys(file, key.column.name, ranges)), relation)
        case None =>
          val told = files.byFile
          val schema = told.partitionSchema
          val file = DataTypeUtils.toAttributes(schema).head
          val scan = relation.copy(output = relation.output :+ file,
            relation = fs.copy(location = told, partitionSchema = schema)(fs.sparkSession))
          Project(relation.output, Filter(filter(FileKeys(file, key.column.name, ranges)), scan))
      }
    }
}
