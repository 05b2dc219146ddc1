package io.colocate.tables.operations

import scala.annotation.tailrec
import scala.util.matching.Regex

/**
 * Column names in the text of a write option.
 *
 * {{{
 *   day, `from, to`, a b       =>  "day", "from, to", "a b"
 *   day=2, `from, to`=0.5      =>  "day" -> "2", "from, to" -> "0.5"
 * }}}
 *
 * A name is written as it is; blanks around it are ignored. It must be in backticks if it contains a
 * comma or an equals sign, or begins or ends with a blank or a backtick; a backtick inside is doubled,
 * as in SQL. A dot needs no backticks: there are no nested columns here.
 */
private[tables] object ColumnNames {

  /** None if the text is not a list of names, or has a name twice. */
  def list(text: String): Option[Seq[String]] =
    items(text, Name).map(_.map(found => name(found.group(1)))).filter(differ)

  /** Names with a value each; None if the text is not such a list, or has a column twice. */
  def valued(text: String): Option[Seq[(String, String)]] =
    items(text, Valued).map(_.map(found => name(found.group(1)) -> found.group(2)))
      .filter(pairs => differ(pairs.map(_._1)))

  private val Part = "(`(?:[^`]++|``)*+`|[^`,=\\s](?:[^,=]*[^,=\\s])?)"
  private val Name = item("(`(?:[^`]++|``)*+`|[^`,\\s](?:[^,]*[^,\\s])?)")
  private val Valued = item(s"$Part\\s*=\\s*([^,=\\s]+)")

  private def item(part: String): Regex = s"\\s*$part\\s*(,|\\z)".r

  private def name(written: String): String =
    if (written.startsWith("`")) written.drop(1).dropRight(1).replace("``", "`") else written

  private def differ(names: Seq[String]): Boolean = names.distinct.length == names.length

  /** Matches items one after another up to the end of the text. */
  private def items(text: String, item: Regex): Option[Seq[Regex.Match]] = {
    @tailrec
    def from(at: Int, before: Seq[Regex.Match]): Option[Seq[Regex.Match]] =
      item.findPrefixMatchOf(text.substring(at)) match {
        case Some(found) if found.group(found.groupCount) == "," =>
          from(at + found.end, before :+ found)
        case Some(found) => Some(before :+ found)
        case None => None
      }
    from(0, Nil)
  }
}
