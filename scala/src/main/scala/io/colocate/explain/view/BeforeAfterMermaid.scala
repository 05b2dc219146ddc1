package io.colocate.explain.view

import scala.collection.mutable

import io.colocate.explain.plan.{Mark, OperatorKind, PlanPicture, Row}

/** Both plans as one Mermaid flowchart: two boxes, the rows flow upwards, shuffles stand out. */
private[colocate] object BeforeAfterMermaid {

  def render(view: BeforeAfter): String = {
    val marks = marksOf(view.rows)
    val left = new Box("s", marks).draw(view.stock.parts)
    val right = new Box("c", marks).draw(view.colocate.parts)
    (Seq(s"%% ${view.summary.replaceAll("[{}%]", " ")}", "flowchart BT") ++
      box("stock", BeforeAfterText.head("Spark alone", view.stock), left) ++
      box("colocate", BeforeAfterText.head("with Colocate", view.colocate), right) ++
      Styles).mkString("\n") + "\n"
  }

  /** Readable on light and on dark pages: each class sets both its colours. */
  private val Styles = Seq(
    "classDef gone fill:#fde2e1,stroke:#c0392b,color:#7b241c,stroke-dasharray:4 3",
    "classDef kept fill:#fdf0d5,stroke:#b9770e,color:#6e4708",
    "classDef changed fill:#fdf0d5,stroke:#b9770e,color:#6e4708,stroke-dasharray:4 3",
    "classDef added fill:#fdf0d5,stroke:#b9770e,color:#6e4708,stroke-width:3px",
    "classDef ours fill:#d8f0e3,stroke:#1e8449,color:#145a32",
    "classDef plain fill:#eef0f2,stroke:#8a949e,color:#24292f").map("  " + _)

  private def box(id: String, title: String, lines: Seq[String]): Seq[String] =
    Seq(s"""  subgraph $id["${escape(title)}"]""", "    direction BT") ++
      lines.map("    " + _) ++ Seq("  end")

  private type Marks = java.util.IdentityHashMap[PlanPicture, Mark]

  /** By identity: equal operators can occur in several places. */
  private def marksOf(rows: Seq[Row]): Marks = {
    val marks = new Marks
    rows.foreach { row =>
      (row.left ++ row.right).foreach(line => marks.put(line.picture, row.mark))
    }
    marks
  }

  private class Box(prefix: String, marks: Marks) {
    private val lines = mutable.ArrayBuffer.empty[String]
    private var count = 0

    def draw(parts: Seq[PlanPicture]): Seq[String] = {
      parts.foreach(node)
      lines.toSeq
    }

    private def node(picture: PlanPicture): String = {
      count += 1
      val id = s"$prefix$count"
      lines += s"""$id["${escape(shorten(picture.label))}"]:::${style(picture)}"""
      picture.children.foreach(child => lines += s"${node(child)} --> $id")
      id
    }

    private def style(picture: PlanPicture): String = marks.get(picture) match {
      case Mark.Gone => "gone"
      case Mark.Kept => "kept"
      case Mark.Changed => "changed"
      case Mark.Added => "added"
      case _ => if (picture.kind == OperatorKind.Ours) "ours" else "plain"
    }
  }

  private val MaxLabel = 60

  private def shorten(label: String): String =
    if (label.length <= MaxLabel) label else label.take(MaxLabel - 3) + "..."

  /**
   * Mermaid reads #34; as a quote; every character that it or HTML could read as markup is written in this
   * way.
   */
  private[explain] def escape(text: String): String = text.flatMap { c =>
    if (c.isLetterOrDigit || " .,:=_-+()[]/'".contains(c)) c.toString
    else if (c.isControl) " "
    else s"#${c.toInt};"
  }
}
