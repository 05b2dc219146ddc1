package io.colocate.claims.declared

import scala.util.Try

import org.apache.spark.sql.catalyst.parser.CatalystSqlParser

import io.colocate.rule.{Declaration, DeclaredKind}

/**
 * A declaration as SQL's users write it: `key a, b`, `unique a` or `a, b -> c`. Columns are written as in SQL,
 * in backticks where their names hold more than letters, digits and underscores; parentheses may stand
 * around them.
 */
object DeclarationText {

  val Accepted: String = "'key a, b', 'unique a' or 'a, b -> c', with the names of columns"

  /** None if the text is no declaration. */
  def read(text: String, rely: Boolean): Option[Declaration] = {
    val parts = split(text, "->")
    val (kind, of, determined) = parts match {
      case Seq(of, determined) => (DeclaredKind.Determines, of, Some(determined))
      case Seq(Keyed(DeclaredKind.Unique.name, of)) => (DeclaredKind.Unique, of, None)
      case Seq(Keyed(DeclaredKind.Key.name, of)) => (DeclaredKind.Key, of, None)
      case _ => (DeclaredKind.Key, "", None)
    }
    for (columns <- names(of); others <- determined.fold(Option(Seq.empty[String]))(names))
      yield Declaration(kind, columns, others, rely)
  }

  /** A word, and the columns after it. */
  private object Keyed {
    private val Form = """(?is)\s*(key|unique)\b(.*)""".r

    def unapply(text: String): Option[(String, String)] = text match {
      case Form(word, columns) => Some((word.toLowerCase(java.util.Locale.ROOT), columns))
      case _ => None
    }
  }

  private def names(list: String): Option[Seq[String]] = {
    val bare = list.trim match {
      case inside if inside.startsWith("(") && inside.endsWith(")") => inside.drop(1).dropRight(1)
      case other => other
    }
    val each = split(bare, ",").map(name)
    Option.when(each.forall(_.nonEmpty))(each.flatten)
  }

  private def name(text: String): Option[String] =
    Try(CatalystSqlParser.parseMultipartIdentifier(text.trim)).toOption.collect {
      case Seq(column) => column
    }

  /** The parts of a text between separators that stand outside of backticks. */
  private def split(text: String, separator: String): Seq[String] = {
    val at = text.indices.scanLeft(false) { (quoted, i) => quoted ^ text(i) == '`' }
    val breaks = text.indices.filter(i => !at(i) && text.startsWith(separator, i))
    (0 +: breaks.map(_ + separator.length)).zip(breaks :+ text.length).map { case (from, to) =>
      text.substring(from, to)
    }
  }
}
