package io.colocate.changes.view

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Min, Sum}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.changes.differentiate.Signed
import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.{Action, CommitInfo, FileAdded, Isolation, Maintained, TreeAdded}
import io.colocate.tables.operations.{Transaction, WriteStep}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.{Leaf, RobustTree}
import io.colocate.tables.write.{LeafOf, LeafWriter, RowSource}

/**
 * Changes a table by rows that come and go. Files of leaves that rows go from are rewritten, all others
 * stay.
 *
 * {{{
 *   - (Rome, 3)  + (Rome, 4)  + (Oslo, 1)
 *   leaf with Rome   file 7: (Rome, 3), (Riga, 2)   =>  file 9: (Rome, 4), (Riga, 2)
 *   leaf with Oslo   file 8: (Lyon, 5)              =>  file 8, file 10: (Oslo, 1)
 * }}}
 *
 * Rows are equal if all their bits are ([[RowBytes]]); of equal rows as many go as the change says.
 * Counter-example: a row that goes and is not there. Nothing is committed then.
 */
final private[view] class MergeChanges(session: SparkSession, log: TableLog) {

  private val transaction = new Transaction(session, log)

  /**
   * @param change with the table's columns in their order; None if no row changes
   * @param view   what the rows stand for afterwards
   * @return the version, and how many rows came and went
   */
  def apply(
      base: Snapshot,
      change: Option[Signed],
      view: Maintained,
      told: CommitInfo): (Long, Long) = {
    val netted = change.map(net)
    val routes = netted.fold(Seq.empty[Route])(routed(base, _))
    val rows = routes.map(_.rows).sum
    val info = told.copy(metrics = told.metrics + ("changedRows" -> rows))
    val version =
      if (routes.isEmpty) commit(base, Nil, Nil, view, info)
      else rewrite(base, netted.get, touched(base, routes.filter(_.gone)), view, info)
    (version, rows)
  }

  /** The rows that the table has. */
  def stored(base: Snapshot): LogicalPlan = transaction.read(base, base.files.indices)

  /** Each changed row once, packed, and how many more of it there are. */
  private def net(change: Signed): RowSource = {
    val packed = Alias(RowBytes(change.columns), "__row")()
    val plan = summed(Project(Seq(packed, change.diff), change.plan))
    RowSource.of(session,
      session.sessionState.executePlan(Filter(Not(EqualTo(plan.output.last, Literal(0L))), plan)))
  }

  private def summed(rows: LogicalPlan): Aggregate = {
    val Seq(row, diff) = rows.output
    Aggregate(Seq(row), Seq(row, Alias(Sum(diff).toAggregateExpression(), diff.name)()), rows)
  }

  /** Where rows come to or go from: a leaf of each tree. */
  private case class Route(leaves: Seq[Int], gone: Boolean, rows: Long)

  private def routed(base: Snapshot, netted: RowSource): Seq[Route] = {
    val Seq(_, diff) = netted.plan.output
    val rows = unpacked(netted.plan, base.schema, Seq(diff))
    val byName = rows.output.map(column => column.name -> column).toMap
    val leaves = base.trees.map(tree =>
      Alias(LeafOf(tree.root, tree.columns, tree.columns.map(byName)), s"__leaf${tree.id}")())
    val gone = Alias(LessThan(rows.output.last, Literal(0L)), "__gone")()
    val placed = Project(leaves ++ Seq(gone, Alias(Abs(rows.output.last), "__rows")()), rows)
    val keys = placed.output.init
    val counted = Aggregate(keys,
      keys :+ Alias(Sum(placed.output.last).toAggregateExpression(), "__rows")(), placed)
    WriteStep(session, log.path, "computing changes of") {
      session.sessionState.executePlan(counted).executedPlan.executeCollect().toSeq
    }.map { row =>
      Route(base.trees.indices.map(row.getInt), row.getBoolean(base.trees.length),
        row.getLong(base.trees.length + 1))
    }
  }

  /** The files that may hold a row which goes. */
  private def touched(base: Snapshot, gone: Seq[Route]): IndexedSeq[Int] = {
    val leaves = base.trees.zipWithIndex.map { case (tree, i) =>
      val ids = tree.leafIds.toIndexedSeq
      tree.id -> gone.map(route => ids(route.leaves(i))).toSet
    }.toMap
    val files = base.files
    if (gone.isEmpty) IndexedSeq.empty
    else
      files.indices.filter(i =>
        files.leaf(i).forall(leaf => leaves.get(files.tree(i)).forall(_(leaf))))
  }

  private def rewrite(
      base: Snapshot,
      netted: RowSource,
      touched: IndexedSeq[Int],
      view: Maintained,
      info: CommitInfo): Long = {
    val tree = base.trees.maxByOption(_.id).getOrElse(RobustTree(base.freeTreeId, Leaf(0)))
    val rows = merged(base, netted.plan, touched)
    val written = WriteStep(session, log.path, "writing changes into") {
      LeafWriter(transaction.rows(rows), log.path, tree, LeafWriter.Coalesced, Map.empty)
    }
    val least = written.observed.get(MergeChanges.Least).filterNot(_.isNullAt(0)).map(_.getLong(0))
    transaction.orDelete(written.files) {
      least.filter(_ < 0).foreach(n => throw new RowsNotThere(log.path.toString, -n))
    }
    val trees = Option.when(base.trees.isEmpty)(TreeAdded(tree)).toSeq
    commit(base, written.files, transaction.removed(base, touched, dataChange = true) ++ trees,
      view, info)
  }

  private def commit(
      base: Snapshot,
      files: Seq[FileAdded],
      others: Seq[Action],
      view: Maintained,
      info: CommitInfo): Long =
    transaction.commit(base.version, base.metadata, files, others :+ view, info,
      Isolation.Overwrite())

  /** The rows of these files and those that came, without those that went. */
  private def merged(base: Snapshot, netted: LogicalPlan, touched: IndexedSeq[Int]): LogicalPlan = {
    val there = transaction.read(base, touched)
    val packed =
      Project(Seq(Alias(RowBytes(there.output), "__row")(), Alias(Literal(1L), "__diff")()), there)
    val all = summed(Union(netted, packed))
    val least = Alias(Min(all.output.last).toAggregateExpression(), MergeChanges.Least)()
    val checked = CollectMetrics(MergeChanges.Least, Seq(least), all, all.hashCode.toLong)
    val Seq(row, count) = checked.output
    val kept = Filter(GreaterThan(count, Literal(0L)), checked)
    val each = row.newInstance()
    val repeated =
      Generate(ReplicateRows(Seq(count, row)), Seq(0, 1), outer = false, None, Seq(each), kept)
    unpacked(repeated, base.schema, Nil)
  }

  private def unpacked(
      packed: LogicalPlan,
      schema: StructType,
      more: Seq[Attribute]): LogicalPlan = {
    val row = Alias(RowOf(packed.output.head, schema), "__values")()
    val opened = Project(row +: more, packed)
    val columns =
      schema.indices.map(i => Alias(GetStructField(row.toAttribute, i), schema(i).name)())
    Project(columns ++ more, opened)
  }
}

private object MergeChanges {
  val Least: String = "colocate: least number of a row"
}
