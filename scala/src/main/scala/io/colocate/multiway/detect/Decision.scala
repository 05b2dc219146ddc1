package io.colocate.multiway.detect

import java.util.Locale

import scala.math.BigDecimal.RoundingMode

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}

import io.colocate.reason.{Reason, ReasonCode}

/**
 * Whether the cyclic core of a region is joined at once. Where nobody asks for it, only if statistics say
 * that joins of two inputs each would make more rows than they read, many times over.
 */
private[detect] object Decision {

  /** Each input more doubles the number of plans to look at. */
  val MostAtoms = 16

  /** So many times the rows of all inputs an intermediate result has to have. */
  private val Growth = 4.0

  /** The reason against, or the one for it. */
  def apply(shape: JoinShape, core: Set[Int], forced: Boolean): Either[Reason, Reason] =
    if (shape.region.hints.nonEmpty)
      Left(Reason(ReasonCode.HintedJoin, "hint" -> shape.region.hints.head.toString))
    else if (forced) Right(chosen(shape, core, "it was asked for"))
    else unique(shape, core).toLeft(()).flatMap(_ => bySizes(shape, core))

  private def bySizes(shape: JoinShape, core: Set[Int]): Either[Reason, Reason] = {
    val inputs = core.toIndexedSeq.sorted
    val sizes = inputs.map(i => InputSize.of(shape.inputs(i), keys(shape, i)))
    inputs.zip(sizes).collectFirst { case (i, None) => i } match {
      case Some(i) => Left(Reason(ReasonCode.UnknownDegrees, "input" -> shape.name(i)))
      case None =>
        val known = sizes.flatten
        uniqueByCount(shape, inputs, known).toLeft(()).flatMap { _ =>
          val (most, sum) = (BinaryPlans.largestIntermediate(known), known.map(_.rows).sum)
          if (most <= Growth * sum)
            Left(Reason(ReasonCode.SmallIntermediate, "rows" -> count(most),
              "inputs" -> count(sum)))
          else
            Right(chosen(shape, core,
              s"joins of two would make ${count(most)} rows of ${count(sum)}"))
        }
    }
  }

  /** Along a unique key no join grows. */
  private def unique(shape: JoinShape, core: Set[Int]): Option[Reason] =
    core.toSeq.sorted.iterator.flatMap { i =>
      val columns = AttributeSet(keys(shape, i).values.collect { case a: Attribute => a })
      shape.inputs(i).distinctKeys.find(_.forall(_.references.subsetOf(columns)))
        .map(key => uniqueKey(shape, i, key.map(_.sql).mkString(", ")))
    }.nextOption()

  private def uniqueByCount(
      shape: JoinShape,
      inputs: IndexedSeq[Int],
      sizes: IndexedSeq[InputSize]): Option[Reason] =
    inputs.zip(sizes).iterator.flatMap { case (i, size) =>
      size.distinct.find(_._2 >= 0.9 * size.rows)
        .map { case (v, _) => uniqueKey(shape, i, keys(shape, i)(v).sql) }
    }.nextOption()

  private def uniqueKey(shape: JoinShape, input: Int, key: String): Reason =
    Reason(ReasonCode.UniqueKey, "key" -> key, "input" -> shape.name(input))

  private def keys(shape: JoinShape, input: Int) =
    shape.graph.edges(input).map(v => v -> shape.keys(input, v).head).toMap

  private def chosen(shape: JoinShape, core: Set[Int], why: String): Reason = {
    val edges = core.toSeq.map(shape.graph.edges)
    val exponent = BigDecimal(AgmBound.exponent(edges)).setScale(2, RoundingMode.HALF_UP)
      .bigDecimal.stripTrailingZeros.toPlainString
    Reason(ReasonCode.MultiwayJoin, "inputs" -> core.size.toString,
      "variables" -> edges.flatten.distinct.length.toString, "exponent" -> exponent, "why" -> why)
  }

  private def count(rows: Double): String = "%,.0f".formatLocal(Locale.ROOT, rows)
}
