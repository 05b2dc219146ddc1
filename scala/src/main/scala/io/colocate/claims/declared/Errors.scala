package io.colocate.claims.declared

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

import io.colocate.rule.{DeclarationJson, Declarations}

/** Errors about declarations. */
sealed abstract class DeclarationException(code: String, sentence: String)
    extends AnalysisException(message = s"[$code] $sentence", errorClass = Some(code),
      sqlState = Some("KD001")) {

  /** PySpark looks up the sentence of an error that has a position, in a list that does not have ours. */
  override def withPosition(origin: Origin): AnalysisException = this
}

/**
 * What is declared of a table is not true of its rows.
 *
 * @param declared what, and where
 * @param found    the first key for which it is not true, with the values there
 */
final class DependencyViolated(val declared: String, found: String)
    extends DeclarationException("COLOCATE_DEPENDENCY_VIOLATED",
      s"$declared, is not true: $found. Accepted: rows for which it is, or colocate_undeclare, which takes it" +
        " back.")

/** The property in which a table keeps its declarations was written by hand, and cannot be read. */
final class DeclarationsUnreadable(table: String, text: String)
    extends DeclarationException("COLOCATE_DECLARATIONS_UNREADABLE",
      s"The property ${Declarations.Property} of $table is '$text'; accepted: ${DeclarationJson.Accepted}.")
