package io.colocate.tables.scan

import java.util.Locale

import io.colocate.report.{Finding, Reason, TableReasons}
import io.colocate.tables.pruning.ConjunctReport
import io.colocate.tables.queries.AskedJoin

/**
 * The result of pruning for one scan, for explain().
 *
 * @param replica   the tree whose copy of the rows is read, if trees are copies of each other
 * @param conjuncts one for each condition of the filter
 * @param columns   that the query reads, by name
 * @param joins     of the scan with other tables
 * @param failure   the error of ours because of which all files are read
 */
final case class PrunedScan(
    table: String,
    version: Long,
    keptFiles: Int,
    files: Int,
    keptRows: Long,
    rows: Long,
    replica: Option[Int],
    conjuncts: Seq[ConjunctReport],
    columns: Set[String] = Set.empty,
    joins: Seq[AskedJoin] = Nil,
    failure: Option[Reason] = None) {
  import PrunedScan._

  private val place = s"Scan $table"

  /**
   * "scan: /data/t, version 7: 3 of 64 files, 120,000 of 6,001,215 rows", and below it the conditions.
   *
   * @param joinKeys columns by which more files may be skipped at run time, when the keys of a join are
   *                 known
   * @param adapting what was last found out about adapting the table to its queries
   */
  def finding(joinKeys: Seq[String], adapting: Option[String]): Finding = {
    val copy = replica.fold("")(tree => s", the copy under tree $tree")
    val text =
      s"scan: $table, version $version$copy: ${number(keptFiles)} of ${number(files)} files, " +
        s"${number(keptRows)} of ${number(rows)} rows"
    Finding.noted(Capability, "scan", place, text,
      conjuncts.map(condition) ++ failed ++ later(joinKeys) ++ adapting.map(told))
  }

  private def condition(conjunct: ConjunctReport): Finding = {
    val filter = conjunct.predicate.sql
    conjunct.whyKept match {
      case None =>
        val text = s"pruned by $filter: ${number(conjunct.prunedFiles)} files, " +
          s"${number(conjunct.prunedRows)} rows"
        Finding.taken(Capability, "pruned", place, Seq(filter), text, Nil)
      case Some(why) =>
        Finding.kept(Capability, "not pruned", place, Seq(filter), s"not pruned by $filter",
          why.reason)
    }
  }

  private def told(adapting: String): Finding =
    Finding.noted(Capability, "adapting", place, s"adapting: $adapting", Nil)

  private def failed: Option[Finding] = failure.map { reason =>
    Finding.kept(Capability, "not pruned", place, Nil, "not pruned", reason)
  }

  private def later(joinKeys: Seq[String]): Option[Finding] = Option.when(joinKeys.nonEmpty) {
    Finding.noted(Capability, "may be pruned", place,
      s"may be pruned at run time by the keys of a join: ${joinKeys.mkString(", ")}")
  }
}

object PrunedScan {

  private val Capability = TableReasons.Capability

  private def number(n: Long): String = String.format(Locale.ROOT, "%,d", Long.box(n))
}
