package io.colocate.explain.view

import java.util.Locale

import org.apache.spark.sql.execution.{FileSourceScanLike, SparkPlan}

import io.colocate.exchange.memory.Decline
import io.colocate.explain.plan.PlanWalk
import io.colocate.report.{Reason, TableReasons}
import io.colocate.tables.pruning.ConjunctReport
import io.colocate.tables.scan.{FileKeys, PinnedFileIndex, PrunedScan}

/** What each scan of a robust table reads, and which condition left files out or why it could not. */
private[colocate] object ScanLines {

  /** @param parts of a plan, see [[PlanWalk.parts]] */
  def scans(parts: Seq[SparkPlan]): Seq[PrunedScan] = parts.flatMap(PlanWalk.nodes).flatMap {
    case scan: FileSourceScanLike =>
      scan.relation.location match {
        case files: PinnedFileIndex => files.pruned.map(_.copy(joinKeys = joinKeys(scan)))
        case _ => None
      }
    case _ => None
  }

  private def joinKeys(scan: FileSourceScanLike): Seq[String] =
    scan.partitionFilters.flatMap(_.collect { case keys: FileKeys => keys.column }).distinct

  /** "scan: /data/t, version 7: 3 of 64 files, 120,000 of 6,001,215 rows", then the conditions */
  def lines(scan: PrunedScan): Seq[String] = {
    val copy = scan.replica.fold("")(tree => s", the copy under tree $tree")
    val head = s"scan: ${scan.table}, version ${scan.version}$copy:" +
      s" ${number(scan.keptFiles)} of ${number(scan.files)} files," +
      s" ${number(scan.keptRows)} of ${number(scan.rows)} rows"
    val failed = failure(scan).map(reason => s"  not pruned [$reason]")
    val byJoin = Option.when(scan.joinKeys.nonEmpty)(
      s"  may be pruned at run time by the keys of a join: ${scan.joinKeys.mkString(", ")}")
    head +: (scan.conjuncts.map("  " + line(_)) ++ failed ++ byJoin)
  }

  /** Why files were read that a condition could have left out; the condition, and the reason. */
  def declines(scan: PrunedScan): Seq[Decline] = {
    val operator = s"Scan ${scan.table}"
    scan.conjuncts.flatMap(c =>
      c.whyKept.map(why => Decline(operator, Seq(c.predicate.sql), why.reason))) ++
      failure(scan).map(Decline(operator, _))
  }

  private def failure(scan: PrunedScan): Option[Reason] =
    scan.failure.map(error => Reason(TableReasons.LayoutError, "error" -> error))

  private def line(conjunct: ConjunctReport): String = {
    val condition = conjunct.predicate.sql
    conjunct.whyKept match {
      case None =>
        s"pruned by $condition: ${number(conjunct.prunedFiles)} files," +
          s" ${number(conjunct.prunedRows)} rows"
      case Some(why) => s"not pruned by $condition [${why.reason}]"
    }
  }

  private def number(n: Long): String = String.format(Locale.ROOT, "%,d", Long.box(n))
}
