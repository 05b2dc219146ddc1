package io.colocate.changes.view

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

import io.colocate.report.Reason

/** Errors of maintained views. Each says what is accepted, and that nothing was done. */
sealed abstract class ViewException(code: String, sentence: String)
    extends AnalysisException(message = s"[$code] $sentence", errorClass = Some(code),
      sqlState = Some("KD000")) {

  /** PySpark looks up the sentence of an error that has a position, in a list that does not have ours. */
  override def withPosition(origin: Origin): AnalysisException = this
}

final class NoView(path: String)
    extends ViewException("COLOCATE_VIEW_NOT_FOUND",
      s"$path is a Colocate table, and not a maintained view; accepted: what CREATE MATERIALIZED VIEW ... USING" +
        " colocate has made.")

/** A query that cannot be maintained. */
final class NotMaintainable(what: String, policy: String, reasons: Seq[Reason])
    extends ViewException("COLOCATE_VIEW_NOT_MAINTAINABLE",
      s"$what cannot be brought up to date from changes: ${NotMaintainable.text(reasons)}; accepted with the" +
        s" policy $policy: a query without these, or another policy, ${Policy.Auto} or ${Policy.Full}, which" +
        " computes all rows anew. Nothing was done.")

private object NotMaintainable {
  def text(reasons: Seq[Reason]): String =
    reasons.map(_.toString).distinct.mkString("; ")
}

final class InvalidPolicy(policy: String)
    extends ViewException("COLOCATE_VIEW_INVALID_POLICY",
      s"The policy is '$policy'; accepted: ${Policy.all.mkString(", ")}. Nothing was done.")

/** A clause of CREATE MATERIALIZED VIEW that a robust table cannot honour. */
final class ViewClause(clause: String, instead: String)
    extends ViewException("COLOCATE_VIEW_NOT_SUPPORTED",
      s"$clause of a maintained view is not supported; accepted: $instead. Nothing was done.")

/** Rows that a change takes away are not there. */
final private[view] class RowsNotThere(path: String, missing: Long)
    extends ViewException("COLOCATE_VIEW_NEGATIVE_COUNT",
      s"$missing rows that were to be taken away are not in $path. Nothing was committed.")
