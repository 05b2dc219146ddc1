package io.colocate.changes.linear

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.colocate.facts.expressions.NeverFails
import io.colocate.rule.ColocateNode

/**
 * Gives a fixed number of rows for each row of its input: the columns that pass by, and the values of each.
 *
 * {{{
 *   ColocateEmit [(a, 1), (b, -1)], [id], [v, d]      for each row of the input
 *   +- Scan [id, a, b]                                   (id, a, 1), (id, b, -1)
 * }}}
 *
 * Values that may fail are all computed before the first row is given, as Spark computes an array before
 * it gives its elements: under a LIMIT the second row's error must not be lost.
 *
 * @param rows     the values of each row, expressions over the input
 * @param passed   columns of the input that each row has first
 * @param emitted  the attributes of the values
 */
final case class ColocateEmit(
    rows: Seq[Seq[Expression]],
    passed: Seq[Attribute],
    emitted: Seq[Attribute],
    child: SparkPlan)
    extends UnaryExecNode
    with CodegenSupport
    with ColocateNode {

  override def output: Seq[Attribute] = passed ++ emitted

  override def producedAttributes: AttributeSet = AttributeSet(emitted)

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override lazy val metrics: Map[String, SQLMetric] =
    Map("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  /** True if an error of a later row must be met before an earlier row is given. */
  private lazy val atOnce: Boolean = rows.size > 1 && !rows.flatten.forall(NeverFails(_))

  override protected def doExecute(): RDD[InternalRow] = {
    val made = longMetric("numOutputRows")
    child.execute().mapPartitionsWithIndex { (number, input) =>
      val projections =
        rows.map(values => UnsafeProjection.create(passed ++ values, child.output))
      projections.foreach(_.initialize(number))
      input.flatMap { row =>
        made += projections.size
        if (atOnce) projections.map(_(row).copy()) else projections.iterator.map(_(row))
      }
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  override def needCopyResult: Boolean = rows.size > 1 || super.needCopyResult

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    ctx.currentVars = input
    ctx.INPUT_ROW = null
    val bound = rows.map(BindReferences.bindReferences(_, child.output))
    val kept = BindReferences.bindReferences[Expression](passed, child.output).map(_.genCode(ctx))
    val made = metricTerm(ctx, "numOutputRows")
    val columns = bound.transpose.zip(emitted).map { case (values, attribute) =>
      new EmittedColumn(ctx, values.exists(_.nullable), attribute.dataType)
    }
    val values = bound.map(_.map(_.genCode(ctx)))
    val before = if (atOnce) evaluateVariables(values.flatten) else ""
    val place = ctx.freshName("place")
    val choose = values.zipWithIndex.map { case (row, number) =>
      s"""
        |case $number: {
        |  ${evaluateVariables(row)}
        |  ${columns.zip(row).map { case (column, value) => column.set(value) }.mkString("\n")}
        |  break;
        |}
       """.stripMargin
    }
    s"""
      |${evaluateVariables(kept)}
      |$before
      |${columns.map(_.declaration).mkString("\n")}
      |for (int $place = 0; $place < ${rows.size}; $place++) {
      |  switch ($place) {
      |    ${choose.mkString("\n")}
      |  }
      |  $made.add(1);
      |  ${consume(ctx, kept ++ columns.map(_.code))}
      |}
     """.stripMargin
  }

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${rows.map(_.mkString("(", ", ", ")")).mkString("[", ", ", "]")}, " +
      s"${passed.mkString("[", ", ", "]")}, ${emitted.mkString("[", ", ", "]")}"

  override protected def withNewChildInternal(newChild: SparkPlan): ColocateEmit =
    copy(child = newChild)
}
