package io.colocate.functions.advise

import scala.util.control.NonFatal

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.classic.SparkSession

import io.colocate.advise.layouts.WhatIf
import io.colocate.functions.call.{Arguments, StatementKind}
import io.colocate.functions.tables.PlannedQueries

/** The queries that a caller gives as a JSON array of texts, in an argument called queries. */
final private[advise] class GivenQueries(session: SparkSession, arguments: Arguments) {

  /** The text that cannot be a query is named by its place in the array, from 0. */
  def optimized(whatIf: WhatIf): Seq[whatIf.Query] =
    PlannedQueries.requiredTexts(arguments, "queries").zipWithIndex.map { case (text, i) =>
      def refuse(why: String) =
        arguments.refusePart(s"queries[$i]", s"'$text'", s"a query that Spark can read$why")
      // Spark's errors give a position in this query, not in the one that calls the function.
      val parsed =
        try CurrentOrigin.withOrigin(Origin())(session.sessionState.sqlParser.parsePlan(text))
        catch { case NonFatal(e) => refuse(said(e)) }
      if (StatementKind.of(parsed) != StatementKind.Query) refuse("")
      try CurrentOrigin.withOrigin(Origin())(whatIf.query(parsed))
      catch { case e: AnalysisException => refuse(said(e)) }
    }

  private def said(error: Throwable): String = {
    val sentence = error.getMessage.linesIterator.find(_.trim.nonEmpty)
    s"; it says: ${sentence.getOrElse(error.toString).stripSuffix(".")}"
  }
}
