package io.colocate.functions.advise

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8

/**
 * The SQL text of a query that was sent to Spark Connect, which logs it as the text of a message:
 * {{{
 *   common { plan_id: 1 } sql { query: "SELECT \'a\'" }
 * }}}
 *
 * Counter-examples: `spark.sql(...).where(...)`, of which the SQL is a part, `spark.sql` with arguments, and texts
 * that the log has shortened.
 */
private[advise] object ConnectQuery {

  private val Whole =
    """(?s)\s*(?:common \{\s*plan_id: \d+\s*\}\s*)?sql \{\s*query: "((?:[^"\\]|\\.)*+)"\s*\}\s*""".r
  private val Shortened = "[truncated(size="
  private val Escaped = """\\([0-7]{1,3}|.)|[^\\]+""".r

  def of(message: String): Option[String] = message match {
    case Whole(text) if !text.contains(Shortened) => Some(unescaped(text))
    case _ => None
  }

  /** Letters beyond ASCII are there byte by byte, as octal numbers. */
  private def unescaped(text: String): String = {
    val bytes = new ByteArrayOutputStream(text.length)
    Escaped.findAllMatchIn(text).foreach { found =>
      found.group(1) match {
        case null => bytes.writeBytes(found.matched.getBytes(UTF_8))
        case "n" => bytes.write('\n')
        case "t" => bytes.write('\t')
        case "r" => bytes.write('\r')
        case octal if octal.head.isDigit => bytes.write(Integer.parseInt(octal, 8))
        case other => bytes.writeBytes(other.getBytes(UTF_8))
      }
    }
    bytes.toString(UTF_8)
  }
}
