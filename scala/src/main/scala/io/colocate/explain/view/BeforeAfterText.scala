package io.colocate.explain.view

import io.colocate.explain.plan.{Mark, OperatorKind, PlanLines, PlanPicture, Row}

/**
 * Both plans in two columns, for a terminal:
 * {{{
 *     Spark alone: 2 exchanges                 | with Colocate: 1 exchange
 *     -----------------------------------------+-----------------------------------------
 *     HashAggregate(keys=[a, b])               | HashAggregate(keys=[a, b])
 *   - Exchange hashpartitioning(a, b, 5)       |
 * }}}
 */
private[colocate] object BeforeAfterText {

  def render(view: BeforeAfter, width: Int = 140): String = {
    val column = math.max(20, (width - 5) / 2)
    val table =
      Seq(line(" ", head("Spark alone", view.stock), head("with Colocate", view.colocate), column),
        "  " + "-" * column + "+" + "-" * (column + 1)) ++ view.rows.map(row(_, column))
    val sections = Seq(Seq(view.summary), table, Seq(legend(view.rows)).filter(_.nonEmpty),
      ReportText.reasons(view.report))
    sections.filter(_.nonEmpty).map(_.mkString("\n")).mkString("\n\n")
  }

  /** One plan with its shuffles marked, for the history of finished queries. */
  def plan(parts: Seq[PlanPicture]): String = PlanLines
    .of(parts)
    .map { line =>
      val sign = if (line.picture.kind == OperatorKind.Shuffle) Mark.Kept.sign else " "
      s"$sign ${trim(line.text, MaxLine)}"
    }
    .mkString("\n")

  private val MaxLine = 240

  def head(title: String, side: PlanSide): String = {
    val noun = if (side.exchanges == 1) "exchange" else "exchanges"
    s"$title: ${side.exchanges} $noun"
  }

  private def row(row: Row, column: Int): String =
    line(row.mark.sign, row.left.fold("")(_.text), row.right.fold("")(_.text), column)

  private def line(sign: String, left: String, right: String, column: Int): String =
    s"$sign ${trim(left, column).padTo(column, ' ')}| ${trim(right, column)}".stripTrailing

  private def trim(text: String, width: Int): String =
    if (text.length <= width) text else text.take(width - 3) + "..."

  /** Only the signs that occur. */
  private def legend(rows: Seq[Row]): String = {
    val used = rows.map(_.mark).toSet
    Mark.all.filter(used).map(mark => s"${mark.sign} ${mark.meaning}").mkString("   ")
  }
}
