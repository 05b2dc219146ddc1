package io.colocate.explain.view

import java.util.Locale

/** Names and texts as a JSON object; no other JSON is needed here. */
private[colocate] object Json {

  def of(fields: Seq[(String, String)]): String =
    fields.map { case (name, value) => s"${quote(name)}:${quote(value)}" }.mkString("{", ",", "}")

  private def quote(text: String): String = text
    .flatMap {
      case '"' => "\\\""
      case '\\' => "\\\\"
      case '\n' => "\\n"
      case '\t' => "\\t"
      case c if c < ' ' => "\\u%04x".formatLocal(Locale.ROOT, c.toInt)
      case c => c.toString
    }
    .mkString("\"", "", "\"")
}
