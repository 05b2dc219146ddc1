package io.colocate.functions

import scala.jdk.CollectionConverters._

import org.antlr.v4.runtime.{CharStreams, Token}

import org.apache.spark.sql.catalyst.parser.{ParseException, ParserInterface, SqlBaseLexer}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.functions.call.{Arguments, ReportFunction, StatementKind}

/**
 * `SELECT * FROM colocate_statements(sql)`: splits a text at its semicolons with Spark's own lexer, and
 * classifies each part with Spark's own parser.
 */
private[colocate] object StatementsFunction
    extends ReportFunction("colocate_statements", Seq("sql"),
      "_FUNC_(sql) - The statements of a text, in order: each as it was written, in one line without comments," +
        " its kind: query, preparation (it changes the session alone), other, or unreadable, and then why.",
      new StructType()
        .add("statement", "string", nullable = false)
        .add("line", "string", nullable = false)
        .add("kind", "string", nullable = false)
        .add("error", "string")) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val parser = session.sessionState.sqlParser
    split(arguments.text("sql").getOrElse("")).map { statement =>
      val (kind, error) = read(parser, statement.text)
      Seq(statement.text, statement.line, kind, error.orNull)
    }
  }

  private case class Statement(text: String, line: String)

  private def split(sql: String): Seq[Statement] = {
    // The lexer knows upper case only. It counts code points, which may take two characters.
    val written = sql.codePoints().toArray
    val upper = written.map(Character.toUpperCase)
    val lexer = new SqlBaseLexer(CharStreams.fromString(new String(upper, 0, upper.length)))
    lexer.removeErrorListeners()
    val tokens = lexer.getAllTokens.asScala.toSeq
    def text(from: Int, to: Int) = new String(written, from, to - from)

    val ends = tokens.filter(_.getType == SqlBaseLexer.SEMICOLON).map(_.getStartIndex)
    (0 +: ends.map(_ + 1)).zip(ends :+ written.length).flatMap { case (from, to) =>
      val inside = tokens.filter(t => t.getStartIndex >= from && t.getStartIndex < to)
      val words = inside.filter(_.getChannel == Token.DEFAULT_CHANNEL)
      val unclosed = to == written.length && lexer.has_unclosed_bracketed_comment
      Option.when(words.nonEmpty || unclosed) {
        Statement(text(from, to).trim, line(inside, text))
      }
    }
  }

  /** The words, with a blank wherever blanks or comments stood. */
  private def line(tokens: Seq[Token], text: (Int, Int) => String): String =
    tokens.map { token =>
      if (token.getChannel == Token.DEFAULT_CHANNEL)
        text(token.getStartIndex, token.getStopIndex + 1)
      else " "
    }.mkString.split("\\s+").filter(_.nonEmpty).mkString(" ")

  private def read(parser: ParserInterface, statement: String): (String, Option[String]) =
    // Errors give a position in the statement, not in the query that calls this function.
    try (StatementKind.of(CurrentOrigin.withOrigin(Origin())(parser.parsePlan(statement))), None)
    catch { case e: ParseException => ("unreadable", Some(e.getMessage.trim)) }
}
