package io.colocate.explain.view

import java.util.Locale

import io.colocate.explain.plan.{Mark, OperatorKind, PlanLine, Row}
import io.colocate.report.{Bytes, Finding, Reason}

/**
 * Both plans as a self-contained piece of HTML: for a notebook's output or a page of its own. Colours are
 * translucent over the page's background, so that it is readable on light and on dark. A notebook has its
 * own style for tables, with cells that are aligned to the right and wrap.
 */
private[colocate] object BeforeAfterHtml {

  def render(view: BeforeAfter): String =
    s"""<div class="colocate">
      |<style>$Style</style>
      |<p class="sum">${escape(view.summary)}</p>
      |${bars(view)}
      |<table class="plans">
      |<tr><th>${escape(BeforeAfterText.head("Spark alone", view.stock))}</th>
      |<th>${escape(BeforeAfterText.head("with Colocate", view.colocate))}</th></tr>
      |${view.rows.map(row).mkString("\n")}
      |</table>
      |${legend(view.rows)}
      |${reasons(view.report)}
      |</div>
      |""".stripMargin

  private val Style =
    """
      |.colocate{font:13px/1.45 system-ui,sans-serif;max-width:100%;overflow-x:auto}
      |.colocate .sum{font-weight:600;margin:.4em 0}
      |.colocate table{border-collapse:collapse;width:100%;margin:.6em 0;font-size:12px}
      |.colocate th,.colocate td{text-align:left;vertical-align:top;padding:1px 8px;background:none;
      |border:0;color:inherit}
      |.colocate tr{background:none}
      |.colocate th{padding-bottom:4px;border-bottom:1px solid rgba(128,128,128,.5)}
      |.colocate .plans{table-layout:fixed;min-width:640px}
      |.colocate .plans td{font-family:ui-monospace,Menlo,Consolas,monospace;white-space:pre;
      |overflow:hidden;text-overflow:ellipsis}
      |.colocate .plans td+td,.colocate .plans th+th{border-left:1px solid rgba(128,128,128,.35)}
      |.colocate .gone{background:rgba(214,69,55,.20);text-decoration:line-through}
      |.colocate .kept{background:rgba(230,160,20,.20)}
      |.colocate .changed{background:rgba(230,160,20,.20);
      |box-shadow:inset 3px 0 rgba(230,140,20,.9)}
      |.colocate .added{background:rgba(230,160,20,.35)}
      |.colocate .ours{background:rgba(40,160,95,.22)}
      |.colocate .legend span{padding:1px 8px;margin-right:8px;font-size:12px}
      |.colocate .bars{width:auto}
      |.colocate .bars span{display:inline-block;height:.8em;margin-right:6px;border-radius:2px}
      |.colocate .bars .a{background:rgba(128,128,128,.55)}
      |.colocate .bars .b{background:rgba(40,160,95,.75)}
      |.colocate code{font-family:ui-monospace,Menlo,Consolas,monospace}
      |""".stripMargin.replace(".colocate ",
      ".colocate.colocate ") // so that a notebook's style gives way

  private def row(row: Row): String =
    s"<tr>${cell(row.left, row.mark)}${cell(row.right, row.mark)}</tr>"

  private def cell(line: Option[PlanLine], mark: Mark): String = line.fold("<td></td>") { line =>
    val text = escape(line.text)
    val css = style(mark, line.picture.kind)
    val open = if (css.isEmpty) "<td" else s"""<td class="$css""""
    s"""$open title="${escape(line.picture.label)}">$text</td>"""
  }

  private def style(mark: Mark, kind: OperatorKind): String = mark match {
    case Mark.Gone => "gone"
    case Mark.Kept => "kept"
    case Mark.Changed => "changed"
    case Mark.Added => "added"
    case Mark.Plain => if (kind == OperatorKind.Ours) "ours" else ""
  }

  private def legend(rows: Seq[Row]): String = {
    val used = rows.map(_.mark).toSet
    Mark.all
      .filter(used)
      .map { mark =>
        s"""<span class="${style(mark, OperatorKind.Shuffle)}">${escape(mark.meaning)}</span>"""
      }
      .mkString("<p class=\"legend\">", "", "</p>")
  }

  /** Two bars for the exchanges and, if they are known, two for the bytes. */
  private def bars(view: BeforeAfter): String = {
    val counts = bars("exchanges", view.stock.exchanges, view.colocate.exchanges)(x =>
      "%.0f".formatLocal(Locale.ROOT, x))
    val bytes = view.report.planned
      .filter(r => ReportText.bytes(r).nonEmpty)
      .map(r => bars("estimated shuffle", r.stock.bytes, r.ours.bytes)(Bytes.text))
    (counts +: bytes.toSeq).mkString("<table class=\"bars\">\n", "\n", "\n</table>")
  }

  private def bars(title: String, stock: Double, ours: Double)(text: Double => String): String = {
    def bar(css: String, who: String, value: Double): String = {
      val width = math.round(260 * value / math.max(1, math.max(stock, ours)))
      s"""<tr><td>${escape(who)}</td><td><span class="$css" style="width:${width}px"></span>""" +
        s"${escape(text(value))}</td></tr>"
    }
    bar("a", s"$title, Spark alone", stock) + "\n" + bar("b", s"$title, with Colocate", ours)
  }

  private def reasons(report: QueryReport): String = {
    val rows = report.findings.flatMap(_.withParts).flatMap(findingRows)
    if (rows.isEmpty) ""
    else
      "<table><tr><th>what</th><th>code</th><th>why</th></tr>\n" + rows.mkString(
        "\n") + "\n</table>"
  }

  /** One row for each reason; the first row names the finding. */
  private def findingRows(finding: Finding): Seq[String] = {
    val texts = finding.text +: finding.reasons.drop(1).map(_ => "")
    texts.zipAll(finding.reasons.map(Option(_)), "", None).map { case (text, reason) =>
      findingRow(text, reason)
    }
  }

  private def findingRow(text: String, reason: Option[Reason]): String =
    s"<tr><td>${escape(text)}</td><td><code>${reason.fold("")(_.code.name)}</code></td>" +
      s"<td>${escape(reason.fold("")(_.sentence))}</td></tr>"

  private[explain] def escape(text: String): String = text
    .replace("&", "&amp;")
    .replace("<", "&lt;")
    .replace(">", "&gt;")
    .replace("\"", "&quot;")
    .replace("'", "&#39;")
}
