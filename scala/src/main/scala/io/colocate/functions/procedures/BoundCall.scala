package io.colocate.functions.procedures

import java.util.{Collections, Iterator => JavaIterator}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Literal, NamedArgumentExpression}
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, OneRowRelation}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog.procedures.{BoundProcedure, ProcedureParameter}
import org.apache.spark.sql.connector.read.{LocalScan, Scan}
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.explain.PlanHistory
import io.colocate.functions.call.{Arguments, Parameter, TableFunction}

/**
 * A procedure as Spark calls it.
 *
 * @param types of the arguments that a call gives. Each argument keeps its type, so that our errors, and not
 *              those of a cast, say what is accepted.
 */
private[procedures] class BoundCall(procedure: Procedure, types: Map[String, DataType])
    extends BoundProcedure {

  override def name: String = procedure.name

  override def description: String = procedure.usage

  override def isDeterministic: Boolean = false

  override def parameters: Array[ProcedureParameter] = procedure.parameters.map { parameter =>
    val made = ProcedureParameter.in(parameter.name, typeOf(parameter)).comment(parameter.meaning)
    parameter.default.map(inTypeOf(parameter, _)).foreach(made.defaultValue)
    made.build()
  }.toArray

  private def typeOf(parameter: Parameter): DataType =
    types.getOrElse(parameter.name, parameter.dataType)

  /** Spark casts the default of a parameter also where a value is given. */
  private def inTypeOf(parameter: Parameter, default: String): String =
    if (types.contains(parameter.name)) "NULL" else default

  /** Spark calls this within its analyser, once for a statement that it executes. */
  override def call(input: InternalRow): JavaIterator[Scan] = {
    val session = SparkSession.active
    val rows = AnalysisHelper.allowInvokingTransformsInAnalyzer {
      inQuery(session)(procedure(session, arguments(input)))
    }
    Collections.singletonList[Scan](new Answer(procedure.schema, rows)).iterator
  }

  private def arguments(input: InternalRow): Arguments = {
    val names = procedure.parameters.map(_.name)
    val values = procedure.parameters.zipWithIndex.map { case (parameter, i) =>
      val dataType = typeOf(parameter)
      NamedArgumentExpression(parameter.name, Literal(input.get(i, dataType), dataType))
    }
    new Arguments(procedure.fullName, names, values)
  }

  override def toString: String = procedure.fullName

  /** The jobs belong to one query, with the statement's name in Spark's UI. */
  private def inQuery[T](session: SparkSession)(body: => T): T = {
    val nothing = OneRowRelation()
    nothing.setTagValue(PlanHistory.Answer, procedure.fullName)
    SQLExecution.withNewExecutionId(session.sessionState.executePlan(nothing),
      Some(s"CALL ${procedure.fullName}"))(body)
  }
}

/** What a procedure says it has done. */
final private class Answer(schema: StructType, answer: Seq[Seq[Any]]) extends LocalScan {

  override def readSchema(): StructType = schema

  override def rows(): Array[InternalRow] = TableFunction.internal(answer).toArray
}
