package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.fuzz.Dice

/** Random predicates over [[RandomRows.schema]], some of which pruning does not understand. */
final private[tables] class RandomPredicates(dice: Dice, columns: IndexedSeq[Attribute]) {

  private val rows = new RandomRows(dice)
  private val zones = Seq("UTC", "America/St_Johns", "Pacific/Apia", "Europe/Berlin")

  def predicate(depth: Int = 3): Expression =
    if (depth == 0 || dice.chance(0.4)) leaf()
    else
      dice.below(5) match {
        case 0 | 1 => And(predicate(depth - 1), predicate(depth - 1))
        case 2 | 3 => Or(predicate(depth - 1), predicate(depth - 1))
        case _ => Not(predicate(depth - 1))
      }

  private def leaf(): Expression = dice.below(20) match {
    case 0 | 1 | 2 | 3 | 4 => withConstant(column())
    case 5 | 6 =>
      val a = column()
      comparison(a, dice.one(columns.filter(_.dataType == a.dataType)))
    case 7 | 8 => list(column())
    case 9 => IsNull(column())
    case 10 => IsNotNull(column())
    case 11 | 12 => prefix()
    case 13 => of(BooleanType)
    case 14 => Literal(dice.one(Seq[Any](true, false, null)), BooleanType)
    case 15 => AtLeastNNonNulls(dice.between(1, 2), Seq(column(), column(), column()))
    case 16 => IsNaN(of(dice.one(Seq(FloatType, DoubleType))))
    case 17 => withConstant(casted())
    case 18 => withConstant(if (dice.chance(0.3)) orError() else casted())
    case _ => notUnderstood()
  }

  private def column(): Attribute = dice.one(columns)
  private def of(dataType: DataType): Attribute = dice.one(columns.filter(_.dataType == dataType))

  private def literal(dataType: DataType): Literal =
    Literal(if (dice.chance(0.07)) null else constant(dataType), dataType)

  /** Some values that the column's own type has not, where the type comes from a cast. */
  private def constant(dataType: DataType): Any = dataType match {
    case d: DecimalType if !RandomRows.schema.exists(_.dataType == d) =>
      Decimal(new java.math.BigDecimal(dice.one(Seq("-1", "0", "1", "1.5", "2", "300")))
          .setScale(d.scale), d.precision, d.scale)
    case other => rows.value(other)
  }

  private def withConstant(e: Expression): Expression = {
    val constant = literal(e.dataType)
    if (dice.chance(0.3)) comparison(constant, e) else comparison(e, constant)
  }

  private def comparison(a: Expression, b: Expression): Expression = dice.below(8) match {
    case 0 | 1 => EqualTo(a, b)
    case 2 => EqualNullSafe(a, b)
    case 3 => LessThan(a, b)
    case 4 => LessThanOrEqual(a, b)
    case 5 => GreaterThan(a, b)
    case 6 => GreaterThanOrEqual(a, b)
    case _ => Not(EqualTo(a, b))
  }

  private def list(value: Expression): Expression = {
    val literals = Seq.fill(dice.below(5))(literal(value.dataType))
    if (dice.chance(0.5)) In(value, literals) else InSet(value, literals.map(_.value).toSet)
  }

  private def prefix(): Expression = {
    val text = rows.value(StringType).asInstanceOf[UTF8String]
    StartsWith(of(StringType), Literal(if (dice.chance(0.05)) null else text, StringType))
  }

  private def casted(): Expression = {
    val (from, to) = dice.one[(DataType, DataType)](
      Seq(ByteType -> IntegerType, IntegerType -> LongType, IntegerType -> FloatType,
        LongType -> DoubleType, ShortType -> DecimalType(25, 3), IntegerType -> DecimalType(12, 1),
        FloatType -> DoubleType, DecimalType(10, 2) -> DecimalType(25, 3),
        DateType -> TimestampType, DateType -> TimestampNTZType, TimestampNTZType -> DateType,
        TimestampType -> DateType, LongType -> IntegerType, DoubleType -> FloatType,
        StringType -> IntegerType))
    Cast(of(from), to, Some(dice.one(zones)))
  }

  private def orError(): Expression = {
    val tested = if (dice.chance(0.5)) column() else casted()
    val error = Cast(new RaiseError(Literal("it is NULL")), tested.dataType)
    if (dice.chance(0.5)) CaseWhen(Seq((IsNull(tested), error)), Some(tested))
    else Coalesce(Seq(tested, error))
  }

  private def notUnderstood(): Expression = dice.below(5) match {
    case 0 => withConstant(Add(of(IntegerType), Literal(1)))
    case 1 => EqualTo(Upper(of(StringType)), literal(StringType))
    case 2 => Contains(of(StringType), Literal(rows.value(StringType), StringType))
    case 3 => withConstant(Remainder(of(LongType), of(LongType)))
    case _ => withConstant(Coalesce(Seq(of(IntegerType), of(IntegerType))))
  }
}
