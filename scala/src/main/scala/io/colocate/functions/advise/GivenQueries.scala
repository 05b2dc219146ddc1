package io.colocate.functions.advise

import scala.util.control.NonFatal

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.classic.SparkSession

import io.colocate.functions.call.{Arguments, StatementKind}
import io.colocate.functions.tables.PlannedQueries

/** The queries that a caller gives in an argument, as a JSON array of texts or as the text of one. */
final private[advise] class GivenQueries(
    session: SparkSession,
    arguments: Arguments,
    name: String) {

  /**
   * What is made of each query, which is parsed; to analyse it may raise Spark's error. The text that cannot be
   * a query is named by its place in the array, from 0.
   */
  def each[T](made: LogicalPlan => T): Seq[T] = eachText((_, parsed) => made(parsed))

  /** The same, of a query and its text. */
  def eachText[T](made: (String, LogicalPlan) => T): Seq[T] =
    InParallel(texts.zipWithIndex) { case (text, i) =>
      def refuse(why: String) =
        arguments.refusePart(s"$name[$i]", s"'$text'", s"a query that Spark can read$why")
      // Spark's errors give a position in this query, not in the one that calls the function.
      val parsed =
        try CurrentOrigin.withOrigin(Origin())(session.sessionState.sqlParser.parsePlan(text))
        catch { case NonFatal(e) => refuse(said(e)) }
      if (StatementKind.of(parsed) != StatementKind.Query) refuse("")
      try CurrentOrigin.withOrigin(Origin())(made(text, parsed))
      catch { case e: AnalysisException => refuse(said(e)) }
    }

  /** No query begins with a bracket. */
  private def texts: Seq[String] =
    arguments.text(name).filterNot(_.trim.startsWith("[")).fold(
      PlannedQueries.requiredTexts(arguments, name))(Seq(_))

  private def said(error: Throwable): String = {
    val sentence = error.getMessage.linesIterator.find(_.trim.nonEmpty)
    s"; it says: ${sentence.getOrElse(error.toString).stripSuffix(".")}"
  }
}
