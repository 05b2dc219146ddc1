package io.colocate.functions.advise

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{DoubleType, IntegerType, StringType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.programs.{BroadcastHints, SparkPlans}

/** `SELECT * FROM colocate_broadcast_hints('["SELECT ..."]', 67108864)` */
private[colocate] object BroadcastHintsFunction
    extends ReportFunction("colocate_broadcast_hints", Seq("queries", "most_bytes"),
      "_FUNC_(queries, most_bytes) - Hints with which Spark would broadcast an input of a join that it does not" +
        " broadcast by itself, where statistics say that it has at most so many bytes; hinted is the query with" +
        " the hint. queries is a JSON array of texts, or one text; they are planned, not run. What the shuffles" +
        " are with it, colocate_what_if tells.",
      new StructType()
        .add("query", IntegerType, nullable = false)
        .add("hint", StringType, nullable = false)
        .add("hinted", StringType, nullable = false)
        .add("bytes", DoubleType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val accepted = "a whole number of bytes above 0"
    val most = arguments.required("most_bytes", accepted).trim.toLongOption.filter(_ > 0)
      .getOrElse(arguments.refuse("most_bytes", accepted))
    val hints = new BroadcastHints(new SparkPlans(session), most.toDouble, parsed(session, _))
    for {
      (found, query) <- new GivenQueries(session, arguments, "queries").eachText((text, _) =>
        hints.of(text))
        .zipWithIndex
      hint <- found
    } yield Seq(query, hint.hint, hint.hinted, hint.bytes)
  }

  /** The position of an error is one in this query, not in the one that calls the function. */
  private def parsed(session: SparkSession, text: String): LogicalPlan =
    CurrentOrigin.withOrigin(Origin())(session.sessionState.sqlParser.parsePlan(text))
}
