package io.colocate.adapt.simulate

import io.colocate.adapt.change.WorkloadTree
import io.colocate.adapt.cost.{CutPath, SampleRanks}
import io.colocate.adapt.window.Asked
import io.colocate.tables.tree.RobustTree

/**
 * What somebody could do who knows what kinds of queries come when: the table has one of a few trees at
 * each time, and changes between them when that is best, found by dynamic programming. A change writes
 * the whole table.
 *
 * @param setting what the trees are built from
 * @param table   the rows, by whose leaves it is judged what is read
 */
final private[simulate] class KnownPhases(setting: Setting, table: SampleRanks, start: RobustTree) {

  /**
   * @param known for each kind of queries some of them; there is a tree for each, and one for all
   */
  def apply(name: String, queries: IndexedSeq[Asked], known: Seq[IndexedSeq[Asked]]): Followed = {
    val trees = (known :+ known.flatten.toIndexedSeq).distinct.map(tree)
    val reads = (start +: trees).map { tree =>
      val stored = new MemoryTable(table, tree)
      queries.map(stored.read)
    }
    val path = best(reads)
    val changed = path.zip(0 +: path).map { case (now, before) => if (now == before) 0L else rows }
    Followed(name, path.zipWithIndex.map { case (at, query) => reads(at)(query) }, changed,
      reads.head)
  }

  private val rows = table.sample.rows.length.toLong

  private def tree(queries: IndexedSeq[Asked]): RobustTree = {
    val build = new WorkloadTree(setting.ranks, setting.weights)
    val root = build(setting.ranks.sample.rows.indices, CutPath.root(table.schema), queries,
      start.leaves.length)
    start.withRoot(root)
  }

  /** Which tree the table has at each query, the first one being what it begins with. */
  private def best(reads: Seq[IndexedSeq[Long]]): IndexedSeq[Int] = {
    val change = setting.writeCost * rows
    val before = reads.indices.map(at => (if (at == 0) 0.0 else change, Vector.empty[Int]))
    val last = reads.head.indices.foldLeft(before) { (costs, query) =>
      val (dear, from) = costs.minBy(_._1)
      costs.zipWithIndex.map { case ((cost, path), at) =>
        val (least, way) =
          if (query > 0 && dear + change < cost) (dear + change, from) else (cost, path)
        (least + reads(at)(query), way :+ at)
      }
    }
    last.minBy(_._1)._2
  }
}
