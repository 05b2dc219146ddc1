package io.colocate.changes.view

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession

import io.colocate.changes.differentiate.Plain
import io.colocate.tables.sql.ReadsTable

/**
 * The query of a view.
 *
 * @param session in which it means what it meant when the view was made
 * @param plan    analysed, and without what only abbreviates
 */
final private[view] case class Definition(session: SparkSession, query: String, plan: LogicalPlan) {

  /** Differs if the query reads other columns or does other things, whatever its text is. */
  lazy val digest: String = {
    val numbers = mutable.HashMap.empty[String, Int]
    def numbered(text: String) =
      "#\\d+L?".r.replaceAllIn(text, id => s"#${numbers.getOrElseUpdate(id.matched, numbers.size)}")
    val leaves = plan.collectLeaves().map(_.schema.json).mkString("\n")
    Definition.sha(s"${numbered(plan.treeString(true, false, Int.MaxValue))}\n$leaves")
  }
}

private[view] object Definition {

  def apply(session: SparkSession, query: String, settings: Map[String, String]): Definition = {
    val own = ViewSession.of(session, settings)
    // A cast gets its meaning when it is read.
    ViewSession.in(own) {
      val parsed = own.sessionState.sqlParser.parseQuery(query)
      Definition(own, query,
        Plain(ReadsTable.Unmark(own.sessionState.executePlan(parsed).analyzed)))
    }
  }

  def sha(text: String): String =
    HexFormat.of.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)))
}
