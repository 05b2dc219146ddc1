package io.colocate.testing

import org.apache.spark.sql.catalyst.expressions.{Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.{ReusedExchangeExec, ShuffleExchangeLike}
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.execution.window.WindowExecBase

/** A plan as an indented list of the operators that matter for partitionings, with their keys. */
object ShortPlan {

  def apply(plan: SparkPlan): String = lines(plan, 0).mkString("\n")

  private def lines(plan: SparkPlan, depth: Int): Seq[String] = describe(plan) match {
    case Some(text) => ("  " * depth + text) +: Exchanges.below(plan).flatMap(lines(_, depth + 1))
    case None => Exchanges.below(plan).flatMap(lines(_, depth))
  }

  private def describe(plan: SparkPlan): Option[String] = plan match {
    case s: ShuffleExchangeLike => Some(s"Exchange ${partitioning(s.outputPartitioning)}")
    case r: ReusedExchangeExec => Some(s"ReusedExchange ${partitioning(r.outputPartitioning)}")
    case j: BaseJoinExec =>
      Some(s"${j.nodeName} ${j.joinType} ${keys(j.leftKeys)} ${keys(j.rightKeys)}")
    case a: BaseAggregateExec => Some(s"${a.nodeName} ${keys(a.groupingExpressions)}")
    case w: WindowExecBase => Some(s"${w.nodeName} ${keys(w.partitionSpec)}")
    case s: FileSourceScanExec => Some(s"Scan ${s.tableIdentifier.fold("")(_.table)}")
    case _: WholeStageCodegenExec | _: InputAdapter | _: ProjectExec | _: FilterExec |
        _: ColumnarToRowExec | _: SortExec =>
      None
    case other => Some(other.nodeName)
  }

  private def keys(expressions: Seq[Expression]): String = expressions.map {
    case named: NamedExpression => named.name
    case other => bare(other.toString)
  }.mkString("[", ", ", "]")

  private def partitioning(partitioning: Partitioning): String = bare(partitioning.toString)

  private def bare(text: String): String = text.replaceAll("#\\d+L?|(?<=_gen_alias_)\\d+", "")
}
