package io.colocate.tables.pruning

import org.apache.spark.sql.types.DataType

/** What a predicate compares: a column, a constant, a cast that keeps the order, a value that must be there. */
sealed private[tables] trait Operand {
  def dataType: DataType
  def bounds(rows: KnownRows): Bounds

  /** The column's position in the schema; None for a constant. */
  def column: Option[Int]

  /** True if some value of the column could raise an error. */
  def mayFail: Boolean

  /** True if Spark could compare it below the filter, in the reader. */
  def inReader: Boolean
}

private[tables] object Operand {

  final case class Column(ordinal: Int, dataType: DataType) extends Operand {
    override def bounds(rows: KnownRows): Bounds = rows.bounds(ordinal)
    override def column: Option[Int] = Some(ordinal)
    override def mayFail: Boolean = false
    override def inReader: Boolean = true
  }

  final case class Constant(dataType: DataType, value: Any) extends Operand {
    private val only = Bounds.constant(value)
    override def bounds(rows: KnownRows): Bounds = only
    override def column: Option[Int] = None
    override def mayFail: Boolean = false
    override def inReader: Boolean = true
  }

  /** A value, and an error where a column is NULL that it is made of. */
  final case class Checked(tested: Operand, value: Operand) extends Operand {
    override def dataType: DataType = value.dataType
    override def column: Option[Int] = value.column
    override def mayFail: Boolean = true
    override def inReader: Boolean = false

    override def bounds(rows: KnownRows): Bounds = {
      val known = value.bounds(rows)
      known.copy(mayFail = known.mayFail || tested.bounds(rows).mayBeNull)
    }
  }

  final case class Casted(child: Operand, dataType: DataType, cast: OrderKeepingCast)
      extends Operand {
    override def bounds(rows: KnownRows): Bounds = cast(child.bounds(rows))
    override def column: Option[Int] = child.column
    override def mayFail: Boolean = child.mayFail || !cast.total
    override def inReader: Boolean = child.inReader && cast.unwrapped
  }
}
