package io.colocate.tables.pruning

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.facts.types.Orderable
import io.colocate.fuzz.Dice
import io.colocate.tables.tree.{Cut, Leaf, Node, RobustTree, Split}

/** Small files of random rows over every type that a tree can cut, and trees over them. */
final private[tables] class RandomRows(dice: Dice) {
  import RandomRows._

  /** Each column keeps to a few neighbouring values, or one, or NULL, so that pruning happens. */
  def rows(): IndexedSeq[IndexedSeq[Any]] = {
    val choices = schema.fields.map(field => choice(field.dataType))
    val count = dice.weighted(1 -> 0, 3 -> 1, 6 -> dice.between(2, 6))
    IndexedSeq.fill(count)(choices.map(dice.one(_)).toIndexedSeq)
  }

  private def choice(dataType: DataType): Seq[Any] = {
    val pool = values(dataType)
    val from = dice.below(pool.length)
    val some = pool.slice(from, from + dice.between(1, 3))
    dice.weighted(6 -> some, 3 -> (some :+ null), 1 -> Seq(null))
  }

  def value(dataType: DataType): Any = dice.one(values(dataType))

  /** The statistics of a writer that left out some, and cut some texts short. */
  def blurred(file: TestFile): TestFile = file.copy(stats = file.stats.map { stat =>
    def lost = dice.chance(0.1)
    stat.copy(nulls = if (lost) -1 else stat.nulls, nans = if (lost) -1 else stat.nans,
      min = if (lost) null else shorter(stat.min), max = if (lost) null else raised(stat.max))
  })

  private def shorter(min: Any): Any = min match {
    case text: UTF8String if dice.chance(0.3) => text.substring(0, 1)
    case other => other
  }

  private def raised(max: Any): Any = max match {
    case text: UTF8String if dice.chance(0.3) => UTF8String.concat(text, UTF8String.fromString("z"))
    case other => other
  }

  def tree(id: Int): RobustTree = {
    var leaves = -1
    def node(depth: Int): Node =
      if (depth == 0 || dice.chance(0.1)) {
        leaves += 1
        Leaf(leaves)
      } else {
        val field = dice.one(schema.fields.toSeq)
        val cut = Cut(field.name, field.dataType, value(field.dataType), dice.chance(0.5),
          nullsLeft = dice.chance(0.5))
        val left = node(depth - 1)
        Split(cut, left, node(depth - 1))
      }
    RobustTree(id, node(dice.between(1, 6)))
  }
}

private[tables] object RandomRows {

  private val types: Seq[DataType] = Seq(BooleanType, ByteType, ShortType, IntegerType, LongType,
    FloatType, DoubleType, DecimalType(10, 2), DecimalType(25, 3), DateType, TimestampType,
    TimestampNTZType, StringType, BinaryType)

  /** Two columns of each type. */
  val schema: StructType = StructType(for {
    (dataType, n) <- types.zipWithIndex
    letter <- Seq("a", "b")
  } yield StructField(s"$letter$n", dataType))

  /** The leaf that a row goes to. */
  def leaf(tree: RobustTree, row: IndexedSeq[Any]): Int = {
    def visit(node: Node): Int = node match {
      case Leaf(id) => id
      case Split(cut, left, right) =>
        val value = row(schema.fieldNames.indexOf(cut.column))
        visit(if (cut.goesLeft(value, orderings(cut.dataType))) left else right)
    }
    visit(tree.root)
  }

  private val orderings = types.map(t => t -> Orderable.ordering(t)).toMap

  /** In their order, so that neighbours make narrow ranges. */
  def values(dataType: DataType): Seq[Any] = pools(dataType)

  private val day = 86400000000L
  private val pools: Map[DataType, Seq[Any]] = Map(BooleanType -> Seq(false, true),
    ByteType -> Seq[Byte](-128, -1, 0, 1, 2, 3, 100, 127),
    ShortType -> Seq[Short](-32768, -1, 0, 1, 2, 3, 1000),
    IntegerType -> Seq(Int.MinValue, -1, 0, 1, 2, 3, 16777217, Int.MaxValue),
    LongType -> Seq(Long.MinValue, -1L, 0L, 1L, 2L, 9007199254740992L, 9007199254740993L),
    FloatType -> Seq(Float.NegativeInfinity, -1.5f, -0.0f, 0.0f, 1.0f, 1.5f, 1e30f,
      Float.PositiveInfinity, Float.NaN),
    DoubleType -> Seq(Double.NegativeInfinity, -1.5, -0.0, 0.0, 1.0, 1.5, 9007199254740992.0, 1e300,
      Double.PositiveInfinity, Double.NaN),
    DecimalType(10, 2) -> Seq("-99999999.99", "-0.01", "0.00", "0.01", "1.00", "1.50", "300.00")
      .map(decimal(_, 10, 2)),
    DecimalType(25, 3) -> Seq("-1.500", "0.000", "0.010", "1.500", "12345678901234567890.123")
      .map(decimal(_, 25, 3)), DateType -> Seq(-200000000, -1, 0, 1, 15000, 15001, 200000000),
    TimestampType -> Seq(-1L, 0L, 1L, day, 15000 * day, 15001 * day + 5),
    TimestampNTZType -> Seq(-1L, 0L, 1L, day, 15000 * day, 15001 * day + 5),
    StringType -> Seq("", "a", "ab", "abc", "abd", "b", "z", "\u00e9", "\uffff", "\ud83d\ude00")
      .map(UTF8String.fromString),
    BinaryType -> Seq(Array[Byte](), Array[Byte](0), Array[Byte](0, 1), Array[Byte](127),
      Array[Byte](-128), Array[Byte](-1), Array[Byte](-1, -1)))

  private def decimal(text: String, precision: Int, scale: Int): Decimal =
    Decimal(new java.math.BigDecimal(text), precision, scale)
}
