package io.colocate.changes.linear

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{GenerateExec, SparkPlan}

import io.colocate.report.{ChangesReasons, Finding, Findings, Reason}
import io.colocate.rule.OptionalPhysicalRule

/**
 * Makes the rows of a generator one by one, where the query lists them, without an array of them.
 *
 * {{{
 *   Generate inline(array(struct(a, 1), struct(b, -1)))   =>   ColocateEmit [(a, 1), (b, -1)]
 *   +- Filter                                                  +- Filter
 *      +- Generate explode(array(x, y))                           +- ColocateEmit [(x), (y)]
 * }}}
 *
 * So a chain of steps that each give several rows is compiled into loops inside each other, as Spark
 * compiles projections and filters between them. Valid where the number of rows is known from the query. Not
 * `explode(items)`, whose array is there anyway.
 *
 * It runs when all else is planned, so that it changes no other choice.
 */
object EmitRows extends OptionalPhysicalRule {

  /** A longer list would make the generated code of a stage larger than what the JVM compiles. */
  private val MostValues = 200

  override def concerns(plan: SparkPlan): Boolean = plan.exists(_.isInstanceOf[GenerateExec])

  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp { case generate: GenerateExec =>
    ListedRows(generate.generator).fold[SparkPlan](generate)(emit(generate, _))
  }

  /** Of no rows, an empty array, Spark makes one under `OUTER`. */
  private def emit(generate: GenerateExec, rows: Seq[Seq[Expression]]): SparkPlan = {
    val values = rows.map(_.size).sum
    if (values > MostValues) Findings.put(generate, declined(generate, values))
    if (rows.isEmpty || values > MostValues) generate
    else ColocateEmit(rows, generate.requiredChildOutput, generate.generatorOutput, generate.child)
  }

  private def declined(generate: GenerateExec, values: Int): Finding =
    Finding.kept(ChangesReasons.Capability, "kept", generate.nodeName, Nil,
      s"kept: ${generate.nodeName}",
      Reason(ChangesReasons.ListTooLong, "values" -> values.toString,
        "most" -> MostValues.toString))

  override def failed(plan: SparkPlan, error: Throwable): SparkPlan = {
    Findings.put(plan, Finding.failed(ChangesReasons.Capability, plan.nodeName, "emit-rows", error))
    plan
  }
}
