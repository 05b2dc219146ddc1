package io.colocate.changes.linear

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ArrayType, DataType, StructType}

/**
 * The rows that a generator makes, where the query lists them one by one: for each of them, its values.
 *
 * {{{
 *   inline(array(struct(a, 1), struct(b, 2)))   ->   (a, 1), (b, 2)
 *   posexplode(array(a, b))                     ->   (0, a), (1, b)
 *   stack(2, a, b, c)                           ->   (a, b), (c, NULL)
 *   explode(items)                              ->   None: how many there are is in the data
 * }}}
 */
private[linear] object ListedRows {

  def apply(generator: Expression): Option[Seq[Seq[Expression]]] = generator match {
    case Explode(array) => elements(array).map(_.map(Seq(_)))
    case PosExplode(array) =>
      elements(array).map(_.zipWithIndex.map { case (element, place) =>
        Seq(Literal(place), element)
      })
    case Inline(array) =>
      for (structs <- elements(array); rows = structs.flatMap(fields); if rows.size == structs.size)
        yield rows
    case stack @ Stack(Literal(count: Int, _) +: values) =>
      Some(stacked(count, values, stack.elementSchema.map(_.dataType)))
    case _ => None
  }

  private def elements(array: Expression): Option[Seq[Expression]] = array match {
    case CreateArray(listed, _) => Some(listed)
    case cast @ Cast(inner, ArrayType(to, _), _, _) => elements(inner).map(_.map(as(cast, _, to)))
    case _ => None
  }

  private def fields(struct: Expression): Option[Seq[Expression]] = struct match {
    case listed: CreateNamedStruct => Some(listed.valExprs)
    case cast @ Cast(inner, to: StructType, _, _) =>
      fields(inner).map(_.zip(to).map { case (value, field) => as(cast, value, field.dataType) })
    case _ => None
  }

  /** Casts a part of a value to a type, as the cast of the whole value does. */
  private def as(cast: Cast, part: Expression, to: DataType): Expression =
    if (part.dataType == to) part else cast.copy(child = part, dataType = to)

  private def stacked(
      count: Int,
      values: Seq[Expression],
      types: Seq[DataType]): Seq[Seq[Expression]] = {
    val rows = values.grouped(types.size).map(filled(_, types)).toSeq
    rows ++ Seq.fill(count - rows.size)(filled(Nil, types))
  }

  private def filled(values: Seq[Expression], types: Seq[DataType]): Seq[Expression] =
    values ++ types.drop(values.size).map(Literal(null, _))
}
