package io.colocate.functions.advise

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan}
import org.apache.spark.sql.types.{IntegerType, StringType, StructType}

import io.colocate.claims.declared.DeclaredTables
import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.programs.{Agreement, Conflict, Partitionings, PossiblePartitionings, SparkPlans}
import io.colocate.programs.operators.{OperatorTable, Verdict}

/** `SELECT * FROM colocate_possible_partitionings('SELECT ...')` */
private[colocate] object PossiblePartitioningsFunction
    extends ReportFunction("colocate_possible_partitionings", Seq("queries", "state"),
      "_FUNC_(queries [, state]) - How the inputs of a query, or of several (a JSON array of texts), may be" +
        " partitioned so that no operator needs a row from another place. A row of the kind `together` names" +
        " the field of an input for one position of an agreement: inputs of one agreement lie by the fields of one" +
        " position, or of several in the same order. `anyhow`: the input may lie in any way. `impossible`: an operator that no" +
        " layout serves, and why; then no input is told of. `at the end`: an operator that gathers the result. With `state` (a JSON array" +
        " of queries) the result of the first query takes the place of the input of the first of these in the next turn of" +
        " a loop, and so on. The queries are planned, not run.",
      new StructType()
        .add("kind", StringType, nullable = false)
        .add("agreement", IntegerType)
        .add("position", IntegerType)
        .add("input", StringType)
        .add("field", StringType)
        .add("form", StringType)
        .add("operator", StringType)
        .add("code", StringType)
        .add("message", StringType)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val plans = new SparkPlans(session)
    def planned(name: String) = new GivenQueries(session, arguments, name).each(plans.of)
    val queries = planned("queries")
    val state = if (arguments.text("state").isEmpty) Nil else planned("state")
    if (queries.isEmpty) arguments.refuse("queries", "at least one query")
    if (state.length > queries.length)
      arguments.refuse("state", "at most one query for each of the queries")
    val scans = state.map(input(_).getOrElse(arguments.refuse("state",
      "queries that read one table or cached frame, and do nothing else")))
    val declared = new DeclaredTables(session.sessionState.conf)
    shown(new PossiblePartitionings(plans, declared).of(queries, scans))
  }

  /** The scan, if a plan does nothing but read one input. A view names each column once more. */
  @tailrec
  private def input(plan: SparkPlan): Option[SparkPlan] = plan match {
    case ProjectExec(columns, below) if columns.forall(keepsName) => input(below)
    case scan => Option.when(OperatorTable.verdict(scan) == Verdict.Input)(scan)
  }

  private def keepsName(column: NamedExpression): Boolean = column match {
    case Alias(of: Attribute, name) => of.name == name
    case other => other.isInstanceOf[Attribute]
  }

  private def shown(found: Partitionings): Seq[Seq[Any]] =
    found.agreements.zipWithIndex.flatMap { case (agreement, i) => together(agreement, i + 1) } ++
      found.anyhow.map(input =>
        Seq("anyhow", null, null, input.name, null, null, null, null, null)) ++
      found.conflicts.map(why("impossible", _)) ++ found.gathered.map(why("at the end", _))

  private def together(agreement: Agreement, number: Int): Seq[Seq[Any]] = for {
    (position, at) <- agreement.positions.zipWithIndex
    (input, field) <- position.fields.toSeq.sortBy(_._1.name)
  } yield Seq("together", number, at + 1, input.name, field.text, field.form.name,
    agreement.places.mkString("; "), null, null)

  private def why(kind: String, conflict: Conflict): Seq[Any] = {
    val operator = conflict.at.filterNot(conflict.place.startsWith).fold(conflict.place)(at =>
      s"${conflict.place}, because of $at")
    Seq(kind, null, null, null, null, null, operator, conflict.reason.code.name,
      conflict.reason.sentence)
  }
}
