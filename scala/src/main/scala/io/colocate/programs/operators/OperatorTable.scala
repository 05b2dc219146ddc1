package io.colocate.programs.operators

import scala.annotation.tailrec

import org.apache.spark.sql.execution.SparkPlan

import io.colocate.programs.operators.Verdict._

/**
 * Every operator of Spark, and what it asks of the place of its rows. docs/operators.md is generated from it;
 * a test holds that each operator class of Spark's jar has a row, and each row against the planner.
 */
object OperatorTable {

  /** The row of an operator's class, or of the nearest class that it extends. */
  def of(operator: SparkPlan): Option[OperatorRow] = of(operator.getClass)

  /**
   * What an operator asks. Unknown if its class has no row, or if it asks what its row does not allow: then
   * it is not the operator that the row was written for.
   */
  def verdict(operator: SparkPlan): Verdict = of(operator).fold[Verdict](Unknown) { row =>
    val asked = Verdict.of(operator)
    if (operator.children.isEmpty) row.verdicts.head
    else if (row.verdicts.contains(asked)) asked
    else Unknown
  }

  @tailrec
  private[operators] def of(operator: Class[_]): Option[OperatorRow] =
    if (operator == classOf[SparkPlan] || operator == null) None
    else
      byName.get(operator.getSimpleName) match {
        case None => of(operator.getSuperclass)
        case row => row
      }

  val rows: Seq[OperatorRow] =
    Scans.rows ++ RowOperators.rows ++ KeyedOperators.rows ++ OtherOperators.rows

  private lazy val byName: Map[String, OperatorRow] =
    rows.flatMap(row => row.names.map(_ -> row)).toMap
}
