package io.colocate.exchange.partitioning

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder}
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
 * It makes two claims:
 *  - `equal`: in every row of the child the two columns hold the same bits, or are both NULL, so a hash of
 *    one is a hash of the other. Not valid if floating-point columns are compared (-0.0 = 0.0), or strings
 *    with a collation in which different strings are equal.
 *  - `shared`: the child's partitioning may serve every operator that [[CoHashPartitioning]] may serve;
 *    used above bucketed scans, above the user's own repartition, and if functions of the keys are hashed.
 *
 * The partitioning is derived from the child's present one at every call and never stored: adaptive
 * execution coalesces partitions below, and a stored partitioning would then be wrong.
 */
case class ColocateClaim(child: SparkPlan, equal: Seq[(Attribute, Attribute)], shared: Boolean)
    extends SameRows
    with ColocateNode
    with CodegenSupport {

  override def output: Seq[Attribute] = child.output

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override def outputPartitioning: Partitioning = {
    val present =
      if (shared) CoHashPartitioning.of(child.outputPartitioning) else child.outputPartitioning
    val members = HashPartitionings.members(present)
    val claimed = equal.flatMap { case (from, to) =>
      members.collect {
        case e: Expression with Partitioning if e.references.contains(from) =>
          e.transform { case a: Attribute if a.exprId == from.exprId => to }
      }
    }.collect { case p: Partitioning => p }
    if (claimed.isEmpty) present else PartitioningCollection(members ++ claimed)
  }

  override def simpleString(maxFields: Int): String = {
    val facts = equal.map { case (from, to) => s"$from = $to" } ++
      (if (shared) Seq("serves other keys too") else Nil)
    s"$nodeName ${facts.mkString("[", ", ", "]")}"
  }

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
