package io.colocate.multiway.decide

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeReference, CreateNamedStruct, Expression, Literal, ScalarSubquery}
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{IntegerType, LongType}

import io.colocate.multiway.cells.KeyHash
import io.colocate.multiway.graph.MultiwayJoin

/**
 * Samples the keys of the inputs of a multiway join, to find values that many rows have. It is a
 * subquery of the plan, as Spark's runtime filters are: Spark runs it before rows are sent to cells.
 *
 * {{{
 *   Aggregate [collect_list(column, hash)]
 *   +- Expand [0, h(src)], [1, h(dst)]
 *      +- Sample 0.001
 *         +- Project [src, dst]
 *            +- Relation edges
 * }}}
 *
 * Equal inputs are sampled once. The sample is counted where it is used: grouping so few rows in Spark
 * would take more memory than holding them.
 */
final private[multiway] class KeySample(join: MultiwayJoin) {

  private val inputs = join.children.indices

  /** For each input the first one with the same rows. */
  private val source = inputs.map { i =>
    inputs.find(j => join.children(j).sameResult(join.children(i))).get
  }

  private val roles = for {
    i <- inputs
    (key, variable) <- join.keys(i).zip(join.variables(i))
  } yield (source(i), join.children(i).output.indexWhere(_.exprId == key.exprId)) -> (i, variable)

  private val columns = roles.map(_._1).distinct

  /** For each sampled column the inputs and variables that it stands for. */
  val counted: Seq[Seq[(Int, Int)]] = columns.map(c => roles.collect { case (`c`, role) => role })

  /** Evaluates to an array of structs, each of the number of a column and the hash of a value. */
  def query: Expression = ScalarSubquery(collected(columns.map(_._1).distinct.map(expanded)))

  private def collected(samples: Seq[LogicalPlan]): LogicalPlan = {
    val rows = if (samples.length == 1) samples.head else Union(samples)
    val seen = CreateNamedStruct(rows.output.flatMap(a => Seq(Literal(a.name), a)))
    Aggregate(Nil, Seq(Alias(CollectList(seen).toAggregateExpression(), "seen")()), rows)
  }

  private def expanded(input: Int): LogicalPlan = {
    val plan = join.children(input)
    val own = columns.zipWithIndex.collect { case ((`input`, place), i) => i -> plan.output(place) }
    val rows = sampled(Project(own.map(_._2).distinct, plan), plan)
    val projections = own.map { case (i, key) => Seq(Literal(i), KeyHash(key)) }
    Expand(projections, KeySample.output, rows)
  }

  private def sampled(keys: LogicalPlan, input: LogicalPlan): LogicalPlan = {
    val rows = input.stats.rowCount.getOrElse(input.stats.sizeInBytes / KeySample.BytesOfARow)
    val fraction = KeySample.Rows / rows.toDouble.max(1.0)
    if (fraction >= 1) keys
    else Sample(0.0, fraction, withReplacement = false, KeySample.Seed, keys)
  }
}

private object KeySample {

  /** A value that a twentieth of the rows have is seen 250 times, give or take 16. */
  private val Rows = 5000.0

  /** Used if the number of rows is unknown. Too many rows in a sample cost little. */
  private val BytesOfARow = 100

  private val Seed = 1618L

  private def output: Seq[Attribute] =
    Seq(AttributeReference("column", IntegerType, nullable = false)(),
      AttributeReference("hash", LongType)())
}
