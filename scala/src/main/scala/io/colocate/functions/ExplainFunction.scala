package io.colocate.functions

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{StringType, StructType}

import io.colocate.explain.view.{BeforeAfter, BeforeAfterHtml, BeforeAfterMermaid, BeforeAfterText}
import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT report FROM colocate_explain('SELECT ...', 'html')` */
private[colocate] object ExplainFunction
    extends ReportFunction("colocate_explain", Seq("query", "format"),
      "_FUNC_(query [, format]) - The plan of a query without and with Colocate, side by side, and the" +
        " reasons. The query is planned, not run. The format is text (the default), html or mermaid.",
      new StructType().add("report", StringType, nullable = false)) {

  private val formats = Seq[(String, BeforeAfter => String)]("text" -> (BeforeAfterText.render(_)),
    "html" -> BeforeAfterHtml.render, "mermaid" -> BeforeAfterMermaid.render)

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val query = arguments.required("query", "the text of a query")
    val format = arguments.oneOf("format", formats.map(_._1)).getOrElse("text")
    val render = formats.toMap.apply(format)
    Seq(Seq(render(BeforeAfter.of(session, query))))
  }
}
