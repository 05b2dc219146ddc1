package io.colocate.multiway.rows

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.LongType

import io.colocate.multiway.model.{KeyType, RelationMode, RelationSpec, TablesSpec}
import io.colocate.multiway.wcoj.{Demand, VariableOrder}

/**
 * Where the columns of a join's rows come from, and the order in which its variables are bound. The
 * value of a broadcast relation's key is taken from the variable if equal keys have equal bits. Zeros
 * and NaNs of different bits are equal keys, so columns that may hold them are carried.
 */
final private[multiway] class RowLayout(join: MultiwayOperator) {

  import join.{children, comparisons, conditions, counted, demands, keys, variables}

  private val driver = children.head
  private val outputs = AttributeSet(join.output)

  private val told: AttributeMap[Int] = AttributeMap(keys.tail.flatten.zip(variables.tail.flatten)
      .filter { case (key, _) => KeyType.exact(key.dataType) })

  /** For each relation but the driver, the columns that are carried. */
  private val carried: Seq[Seq[Attribute]] =
    children.tail.map(_.output.filter(a => outputs.contains(a) && !told.contains(a)))

  /** The keys in the order of the columns, so that equal relations are encoded alike. */
  private val encoded: Seq[Seq[Attribute]] = children.tail.zip(keys.tail).map { case (child, own) =>
    own.sortBy(key => ordinal(child.output, key))
  }

  val modes: Seq[RelationMode] = children.tail.indices.map { i =>
    def numbers(columns: Seq[Attribute]) = columns.map(ordinal(children(i + 1).output, _))
    RelationMode(numbers(encoded(i)), encoded(i).map(_.dataType), numbers(carried(i)),
      carried(i).map(_.dataType), join.mostMemory)
  }

  private val order: VariableOrder = {
    val values = join.output.flatMap(told.get)
    val listed = variables.tail.zip(carried).collect { case (v, c) if c.nonEmpty => v }.flatten
    val (negated, atoms) = variables.zip(demands).tail.partition(_._2 == Demand.NoRow)
    VariableOrder(variables.head.toSet, atoms.map(_._1.toSet),
      negated.map(_._1.toSet) ++ comparisons.map(_.variables) ++ conditions.map(_.variables),
      (values ++ listed).toSet)
  }
  private val place = order.order.zipWithIndex.toMap

  /** How many variables are bound one below another. */
  def depth: Int = order.depth

  /** @param sources for each relation the number of its broadcast */
  def tables(sources: Seq[Int]): TablesSpec = {
    val types = keys.flatten.zip(variables.flatten).map { case (k, v) =>
      place(v) -> k.dataType
    }.toMap
    TablesSpec(place.values.toSeq.sorted.map(types), sources.indices.map(relation(_, sources)),
      comparisons.map(_.map(place)), conditions.map(_.map(place)))
  }

  private def relation(i: Int, sources: Seq[Int]): RelationSpec = {
    val own = keys(i + 1).zip(variables(i + 1)).map { case (k, v) => (place(v), k) }.sortBy(_._1)
    RelationSpec(sources(i), own.map(_._1), own.map { case (_, k) => ordinal(encoded(i), k) },
      demands(i + 1), carried(i).nonEmpty)
  }

  // --- Rows --------------------------------------------------------------------------------------

  def rows: RowsSpec = {
    val driverKeys = keys.head.zip(variables.head).sortBy { case (_, v) => place(v) }
      .map { case (key, _) => ordinal(driver.output, key) }
    val values = join.output.flatMap(told.get).distinct.filter(place(_) >= order.driven)
    val sum = counted.nonEmpty && join.output.length == 1
    val columns =
      if (sum) Seq(BoundReference(0, LongType, nullable = false)) else expressions(values)
    RowsSpec(driverKeys.toArray, order.listed, values.map(place).toArray,
      values.map(typeOf).toArray, columns, counted.nonEmpty, sum)
  }

  private def expressions(values: Seq[Int]): Seq[Expression] = join.output.map { a =>
    val columns = driver.output.length + values.length
    val (place, nullable) =
      if (driver.outputSet.contains(a)) (ordinal(driver.output, a), true)
      else if (counted.exists(_.exprId == a.exprId)) (columns + carried.flatten.length, false)
      else
        told.get(a) match {
          case Some(v) => (valuePlace(v, values), false)
          case None => (columns + ordinal(carried.flatten, a), true)
        }
    BoundReference(place, a.dataType, nullable)
  }

  /** A value that the driver has is taken from its row. */
  private def valuePlace(variable: Int, values: Seq[Int]): Int =
    variables.head.indexOf(variable) match {
      case -1 => driver.output.length + values.indexOf(variable)
      case i => ordinal(driver.output, keys.head(i))
    }

  private def typeOf(variable: Int) =
    keys.flatten.zip(variables.flatten).find(_._2 == variable).get._1.dataType

  private def ordinal(columns: Seq[Attribute], column: Attribute): Int =
    columns.indexWhere(_.exprId == column.exprId)
}
