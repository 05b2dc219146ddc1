package io.colocate.tables.pruning

import java.util.BitSet

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression

import io.colocate.tables.tree.RobustTree

/**
 * The files of a table that a filter has to read.
 *
 * @param kept  numbers of the files, ascending
 * @param files the number of all files; `rows` is the number of their rows
 */
final case class PrunedFiles(
    kept: IndexedSeq[Int],
    keptRows: Long,
    files: Int,
    rows: Long,
    conjuncts: Seq[ConjunctReport])

/**
 * The effect of one conjunct.
 *
 * @param prunedFiles number of files that it rules out by itself, even if others rule them out too
 * @param whyKept     the reason, if it rules out none
 */
final case class ConjunctReport(
    predicate: Expression,
    prunedFiles: Int,
    prunedRows: Long,
    whyKept: Option[WhyKept])

/**
 * Skips the files that hold no row for a filter: by the cuts of the tree that routed a file, and by the
 * file's own statistics.
 *
 * Valid for a filter directly on these files: if one conjunct rules a file out, no row of it passes.
 * Cuts alone are not enough: a file between two cuts of one date column has a narrow range of all other
 * dates too, which only its statistics show. Files without rows are always skipped.
 *
 * {{{
 *   price > 10 AND name LIKE 'a%'     file 1: leaf left of price <= 10     pruned by the tree
 *                                     file 2: name from 'b' to 'k'        pruned by statistics
 *                                     file 3: no statistics, no leaf      kept
 * }}}
 */
object PrunedFiles {

  /** @param trees the trees of the table's version by id */
  def apply(
      stats: FileStats,
      trees: Int => Option[RobustTree],
      conjuncts: Seq[Conjunct]): PrunedFiles = {
    val rows = Array.tabulate(stats.length)(stats.rows)
    val out = new BitSet(stats.length)
    rows.indices.foreach(i => if (rows(i) == 0) out.set(i))
    val reports = conjuncts.map(new OneConjunct(stats, rows, trees, _, out).report())
    val kept = mutable.ArrayBuilder.make[Int]
    var keptRows = 0L
    for (i <- rows.indices if !out.get(i)) {
      kept += i
      keptRows += rows(i)
    }
    PrunedFiles(kept.result().toIndexedSeq, keptRows, rows.length, rows.sum, reports)
  }

  final private class OneConjunct(
      stats: FileStats,
      rows: Array[Long],
      trees: Int => Option[RobustTree],
      conjunct: Conjunct,
      out: BitSet) {

    private val known = new FileRows(stats)
    private val pruning = new TreePruning(stats.schema)
    private val byTree = mutable.Map.empty[Int, BitSet]
    // Neighbouring files mostly belong to one tree.
    private var tree = -1
    private var leaves = new BitSet

    def report(): ConjunctReport = {
      var files = 0
      var prunedRows = 0L
      var i = 0
      while (i < rows.length && conjunct.never.isEmpty) {
        if (rows(i) != 0 && rulesOut(i)) {
          out.set(i)
          files += 1
          prunedRows += rows(i)
        }
        i += 1
      }
      val why = if (files > 0) None else Some(conjunct.never.getOrElse(whyNot))
      ConjunctReport(conjunct.predicate, files, prunedRows, why)
    }

    private def rulesOut(file: Int): Boolean = byCuts(file) || {
      known.file = file
      conjunct.rulesOut(known)
    }

    private def byCuts(file: Int): Boolean = {
      val id = stats.tree(file)
      val leaf = stats.leaf(file)
      if (id < 0 || leaf < 0) false
      else {
        if (id != tree) {
          tree = id
          leaves = byTree.getOrElseUpdate(id,
            trees(id).fold(new BitSet)(pruning.ruledOut(_, conjunct)))
        }
        leaves.get(leaf)
      }
    }

    private def whyNot: WhyKept = conjunct.compiled.gaps.headOption.getOrElse {
      val hidden = conjunct.isAfterErrors && rows.indices.exists { i =>
        known.file = i
        conjunct.isBehindError(known)
      }
      val blind = conjunct.columns.nonEmpty && !conjunct.columns.exists(known.hasStatistics) &&
        !conjunct.columns.exists(isCut)
      if (hidden) WhyKept.BehindError
      else if (blind) WhyKept.NoStatistics
      else WhyKept.NoneRuledOut
    }

    private def isCut(column: Int): Boolean =
      byTree.keys.flatMap(trees(_)).exists(_.columns.contains(stats.schema(column).name))
  }
}
