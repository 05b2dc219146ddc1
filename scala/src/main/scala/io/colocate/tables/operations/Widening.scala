package io.colocate.tables.operations

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/**
 * Casts a value to the type of a column if each value of its type equals exactly one value there.
 *
 * {{{
 *   INT                    into BIGINT, DOUBLE, DECIMAL(12, 2)     the same number
 *   STRUCT<y: INT, x: INT> into STRUCT<x: BIGINT, y: INT, z: INT>  by name; z is NULL
 * }}}
 *
 * Spark's own upcast matches the fields of structs by position, and casts BIGINT to DOUBLE, INT to FLOAT
 * and TIMESTAMP to BIGINT, which all lose digits.
 *
 * Counter-example: BIGINT into DOUBLE, where 9007199254740993 becomes 9007199254740992.
 */
final private[tables] class Widening(names: Names) {

  import Widening._

  /** Left with the reason why there is no such cast, as the end of a sentence. */
  def apply(value: Expression, to: DataType): Either[String, Expression] =
    (value.dataType, to) match {
      case (from, _) if DataTypeUtils.equalsIgnoreNullability(from, to) => Right(value)
      case (from: StructType, into: StructType) => struct(value, from, into)
      case (ArrayType(element, nulls), ArrayType(into, _)) =>
        through("element", element, nulls, into)(ArrayTransform(value, _))
      case (from: MapType, into: MapType) => map(value, from, into)
      case (from, _) if holds(from, to) => Right(cast(value, to))
      case (from, _) => Left(s"a ${from.sql} may not fit into a ${to.sql}")
    }

  private def struct(
      value: Expression,
      from: StructType,
      to: StructType): Either[String, Expression] = {
    val given_ = from.fieldNames.zipWithIndex.map { case (n, i) => names.key(n) -> i }.toMap
    val wanted = to.fieldNames.map(names.key).toSet
    val unknown = from.fieldNames.find(name => !wanted(names.key(name)))
    val twice = names.twice(from.fieldNames.toSeq)
    if (twice.nonEmpty) Left(s"it has two fields named '${twice.get._1}' and '${twice.get._2}'")
    else if (unknown.nonEmpty) Left(s"there is no field '${unknown.get}'")
    else
      all(to.fields.toSeq.map { field =>
        val found = given_.get(names.key(field.name)) match {
          case Some(at) => apply(GetStructField(value, at, Some(from(at).name)), field.dataType)
          case None => Right(Literal(null, field.dataType))
        }
        found.map(Seq(Literal(field.name), _))
      }).map { fields =>
        val made = CreateNamedStruct(fields.flatten)
        if (value.nullable) If(IsNull(value), Literal(null, made.dataType), made) else made
      }
  }

  private def map(value: Expression, from: MapType, to: MapType): Either[String, Expression] =
    for {
      keys <- through("key", from.keyType, nulls = false, to.keyType)(ArrayTransform(MapKeys(value),
        _))
      values <- through("value", from.valueType, from.valueContainsNull, to.valueType)(
        ArrayTransform(MapValues(value), _))
    } yield MapFromArrays(keys, values)

  /** Casts each element. */
  private def through(name: String, from: DataType, nulls: Boolean, to: DataType)(
      each: Expression => Expression): Either[String, Expression] = {
    val element = NamedLambdaVariable(name, from, nulls)
    apply(element, to).map(body => each(LambdaFunction(body, Seq(element))))
  }

  private def all[T](parts: Seq[Either[String, T]]): Either[String, Seq[T]] =
    parts.collectFirst { case Left(why) => Left(why) }
      .getOrElse(Right(parts.collect { case Right(part) => part }))

  private def cast(value: Expression, to: DataType): Expression =
    Cast(value, to, Some(SQLConf.get.sessionLocalTimeZone))
}

private[tables] object Widening {

  /** Digits that whole numbers of a type need. */
  private val Digits: Map[DataType, Int] =
    Map(ByteType -> 3, ShortType -> 5, IntegerType -> 10, LongType -> 19)

  private val Whole: Seq[DataType] = Seq(ByteType, ShortType, IntegerType, LongType)

  /** The types whose values a floating-point type holds exactly. */
  private val Exact: Map[DataType, Set[DataType]] = Map(FloatType -> Set(ByteType, ShortType),
    DoubleType -> Set(ByteType, ShortType, IntegerType, FloatType))

  /** Whether each value of one atomic type has an equal one in another type. */
  private def holds(from: DataType, to: DataType): Boolean = (from, to) match {
    case (NullType, _) => true
    case (_: StringType, _: StringType) => true
    case (DateType, TimestampType | TimestampNTZType) => true
    case (d: DecimalType, wide: DecimalType) =>
      wide.scale >= d.scale && wide.precision - wide.scale >= d.precision - d.scale
    case (whole, wide: DecimalType) => Digits.get(whole).exists(_ <= wide.precision - wide.scale)
    case (whole, wide) if Whole.contains(whole) && Whole.contains(wide) =>
      Whole.indexOf(whole) < Whole.indexOf(wide)
    case (exact, floating) => Exact.get(floating).exists(_(exact))
  }
}
