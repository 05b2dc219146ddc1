package io.colocate.adapt.simulate

import io.colocate.adapt.change.{PublishedPlanner, Replan}
import io.colocate.adapt.cost.SampleRanks
import io.colocate.adapt.ledger.{Ledger, Price}
import io.colocate.adapt.window.{Asked, Window}
import io.colocate.tables.tree.RobustTree

/** A way to follow queries: whether the table gets another tree once some of them have run. */
private[simulate] trait Way {
  def name: String

  /** After how many queries each it is asked. */
  def every: Int

  /** A query has run, the last one of these. */
  def ran(table: MemoryTable, query: Asked): Unit = ()

  /** The table got the tree that was planned. */
  def rewrote(table: MemoryTable, change: Rewritten): Unit = ()

  /** The tree that the table gets; None to leave it as it is. */
  def planned(table: MemoryTable, asked: IndexedSeq[Asked]): Option[RobustTree]
}

/** The table stays as it is. */
private[simulate] object Never extends Way {
  override val name: String = "never adapted"
  override val every: Int = 1
  override def planned(table: MemoryTable, asked: IndexedSeq[Asked]): Option[RobustTree] = None
}

/**
 * What a planner knows.
 *
 * @param ranks     a sample of the rows
 * @param weights   the columns that may be cut
 * @param fixed     the columns of the join key
 * @param writeCost what it costs to rewrite a row, in rows read
 * @param windows   how many of the newest queries it looks at, the first that find something
 * @param most      the most rows to rewrite at a time
 * @param rowsOfLeaf how many rows a leaf is to have
 * @param every     after how many queries each it is asked
 */
final case class Setting(
    ranks: SampleRanks,
    weights: Map[String, Double],
    fixed: Set[String],
    writeCost: Double,
    windows: Seq[Int],
    most: Long,
    rowsOfLeaf: Double,
    every: Int)

/** The published planner. */
final private[simulate] class Published(
    override val name: String,
    setting: Setting,
    price: Double,
    least: Option[Double] = None,
    window: Int = PublishedPlanner.Window)
    extends Way {

  override val every: Int = setting.every

  override def planned(table: MemoryTable, asked: IndexedSeq[Asked]): Option[RobustTree] = {
    import setting._
    val perRow = table.length.toDouble / ranks.sample.rows.length
    val planner = new PublishedPlanner(ranks, price, perRow, weights.keySet -- fixed, least)
    val newest = Window(asked).newest(this.window)
    Some(table.tree.withRoot(planner(table.tree.root, newest).node)).filter(_ != table.tree)
  }
}

/**
 * The default planner, whole or without a part of it.
 *
 * @param holdout see [[Replan]]
 * @param debt    whether what rewrites still owe counts
 * @param ledger  whether all rewrites together are bounded by what they save
 */
final private[simulate] class Replanned(
    override val name: String,
    setting: Setting,
    holdout: Boolean = true,
    debt: Boolean = true,
    ledger: Boolean = true)
    extends Way {

  import setting._

  override val every: Int = setting.every

  private var account: Option[Ledger] = None

  private def accountOf(table: MemoryTable): Ledger =
    account.getOrElse(Ledger.of(table.layout, 0))

  override def ran(table: MemoryTable, query: Asked): Unit =
    account = Some(accountOf(table).after(query, table.tree, table))

  override def planned(table: MemoryTable, asked: IndexedSeq[Asked]): Option[RobustTree] = {
    val most =
      if (ledger) setting.most.min(accountOf(table).room(table.length, writeCost)) else setting.most
    windows.to(LazyList).flatMap(length =>
      change(table, Window(asked).newest(length), most)).headOption
  }

  override def rewrote(table: MemoryTable, change: Rewritten): Unit =
    account = account.map(_.rewrote(change.gone, change.replaced,
      change.written.map(leaf => leaf -> table.rows(leaf)).toMap, writeCost))

  private def change(table: MemoryTable, window: Window, most: Long): Option[RobustTree] = {
    val price = if (debt) Price(writeCost, accountOf(table)) else Price(writeCost)
    val replan =
      new Replan(table.tree, window, table, ranks, weights, price, most, fixed,
        node => (table.rows(node) / rowsOfLeaf).round.toInt.max(1), holdout)
    val choices = replan.choices
    Option.when(choices.nonEmpty)(table.tree.withRoot(replan.changed(choices)))
  }
}
