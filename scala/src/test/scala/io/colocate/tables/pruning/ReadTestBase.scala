package io.colocate.tables.pruning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Small tables written down in a test: columns by name, their values in a file by column. */
private[tables] trait ReadTestBase {

  protected val schema: StructType = new StructType()
    .add("i", IntegerType).add("j", IntegerType).add("l", LongType).add("y", ByteType)
    .add("d", DoubleType).add("f", FloatType).add("m", DecimalType(10, 2))
    .add("s", StringType).add("t", StringType).add("lcase", StringType("UTF8_LCASE"))
    .add("b", BooleanType).add("bin", BinaryType).add("day", DateType)
    .add("ts", TimestampType).add("ntz", TimestampNTZType).add("list", ArrayType(IntegerType))

  private val attributes = TestFiles.attributes(schema)

  protected def col(name: String): AttributeReference =
    attributes(schema.fieldNames.indexOf(name))

  protected def lit(value: Any): Literal = value match {
    case d: java.math.BigDecimal => Literal(Decimal(d, 10, 2), DecimalType(10, 2))
    case other => Literal(other)
  }

  protected def dec(text: String): java.math.BigDecimal = new java.math.BigDecimal(text)

  /** A value of a test as it stands in an InternalRow. */
  protected def internal(value: Any): Any = value match {
    case text: String => UTF8String.fromString(text)
    case d: java.math.BigDecimal => Decimal(d, 10, 2)
    case other => other
  }

  /** A file with these values; columns that are not named are NULL. */
  protected def file(values: (String, Seq[Any])*): TestFile = {
    val byName = values.toMap
    val rows = values.headOption.fold(0)(_._2.length)
    TestFile.exact(schema,
      (0 until rows).map { row =>
        schema.fieldNames.toIndexedSeq.map { name =>
          byName.get(name).fold[Any](null)(values => internal(values(row)))
        }
      })
  }

  protected def conjuncts(predicates: Expression*): Seq[Conjunct] =
    Conjunct.of(predicates, PredicateCompiler.byName(schema))

  protected def prune(files: Seq[TestFile], predicates: Expression*): PrunedFiles =
    PrunedFiles(TestFiles(schema, files.toIndexedSeq), _ => None, conjuncts(predicates: _*))

  protected def pruned(file: TestFile, predicates: Expression*): Boolean =
    prune(Seq(file), predicates: _*).kept.isEmpty
}
