package io.colocate.exchange.claims

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan}
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.colocate.facts.proved.SameRows
import io.colocate.rule.ColocateNode

/**
 * States facts about its child's rows that Spark cannot see, and passes the rows on unchanged.
 *
 * {{{
 *   HashAggregate(keys=[b])                      HashAggregate(keys=[b])
 *   +- Exchange hashpartitioning(b)       =>     +- ColocateClaim [a = b]
 *      +- SortMergeJoin [a] ... [filter a = b]      +- SortMergeJoin [a] ... [filter a = b]
 * }}}
 *
 * Each [[ClaimFact]] says what it adds to the partitionings, when it is valid, and when not.
 *
 * The partitioning is derived from the child's present one at every call and never stored: adaptive
 * execution coalesces partitions below, and a stored partitioning would then be wrong.
 */
case class ColocateClaim(child: SparkPlan, facts: Seq[ClaimFact])
    extends SameRows
    with ColocateNode
    with CodegenSupport {

  override def output: Seq[Attribute] = child.output

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override def outputPartitioning: Partitioning =
    ClaimFact.derive(facts, child, child.outputPartitioning)

  /** The rows are those of the child, so that a shuffle above it can be shared with one without a claim. */
  override protected def doCanonicalize(): SparkPlan = child.canonicalized

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${facts.map(_.text).mkString("[", ", ", "]")}"

  /** Before the rows are computed. */
  override protected def doPrepare(): Unit =
    facts.flatMap(_.declared(child)).foreach(_.check.run())

  override def supportsColumnar: Boolean = child.supportsColumnar

  // A cached table can be read by rows or by batches; if only batches were supported, it would have to be
  // converted.
  override def supportsRowBased: Boolean = child.supportsRowBased

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = child.executeColumnar()

  // Whole-stage code works row by row; a columnar child's batches are passed through instead.
  override def supportCodegen: Boolean = !supportsColumnar && (child match {
    case codegen: CodegenSupport => codegen.supportCodegen
    case _ => false
  })

  override def inputRDDs(): Seq[RDD[InternalRow]] = child match {
    case codegen: CodegenSupport => codegen.inputRDDs()
    case other => Seq(other.execute())
  }

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    consume(ctx, input)

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
