package io.colocate.programs

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.UnionLoopRef
import org.apache.spark.sql.execution.{LogicalRDD, SparkPlan, UnionLoopExec}

import io.colocate.programs.lineage.{Input, Inputs}

/**
 * The recursive queries of a program. Spark's operator of one has the queries of its turns inside, and plans
 * them while it runs:
 * {{{
 *   UnionLoop                       anchor     Project [src AS root, dst]
 *     anchor: SELECT src, dst ...   turn       SortMergeJoin [dst], [src]
 *     recursion: ... JOIN paths                :- Scan of what the last turn has made
 *                                              +- FileScan edges
 * }}}
 */
final private class RecursiveQueries(inputs: Inputs, plans: SparkPlans) {

  private val found = mutable.Map.empty[Long, (Input, Seq[SparkPlan])]

  /** What stands for the rows of a turn, wherever a query or the next turn reads them. */
  def input(loop: UnionLoopExec): Input = of(loop)._1

  /** The plans of the first turn and of each other one. */
  def turns(loop: UnionLoopExec): Seq[SparkPlan] = of(loop)._2

  private def of(loop: UnionLoopExec): (Input, Seq[SparkPlan]) =
    found.getOrElseUpdate(loop.loopId, {
        val rows = plans.session.sparkContext.emptyRDD[InternalRow]
        def lastTurn(output: Seq[Attribute]) = LogicalRDD(output, rows)(plans.session)
        val recursion = loop.recursion.transformWithSubqueries {
          case ref: UnionLoopRef if ref.loopId == loop.loopId => lastTurn(ref.output)
        }
        val input = inputs.handOver(plans.ofOptimized(lastTurn(loop.output)))
        (input, Seq(loop.anchor, recursion).map(plans.ofOptimized))
      })
}
