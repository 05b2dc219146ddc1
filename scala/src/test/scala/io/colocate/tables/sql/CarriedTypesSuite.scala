package io.colocate.tables.sql

import java.lang.reflect.Modifier
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.types._

import io.colocate.docs.GenerateDocs
import io.colocate.facts.types.Orderable
import io.colocate.testing.{EveryOther, Nightly}

/** Every type of Spark is carried where its Parquet files do so, or refused by one sentence. */
class CarriedTypesSuite extends TableSession with EveryOther {

  /** A value of each type as SQL; none for a type that no Parquet file holds. */
  private val values: Map[String, Seq[String]] = Map("BooleanType" -> Seq("id % 2 = 0"),
    "ByteType" -> Seq("CAST(id AS TINYINT)"), "ShortType" -> Seq("CAST(id AS SMALLINT)"),
    "IntegerType" -> Seq("CAST(id AS INT)"), "LongType" -> Seq("id"),
    "FloatType" -> Seq("CAST(id AS FLOAT)"), "DoubleType" -> Seq("CAST(id AS DOUBLE)"),
    "DecimalType" -> Seq("CAST(id AS DECIMAL(9, 2))", "CAST(id AS DECIMAL(30, 5))"),
    "DateType" -> Seq("date_add(DATE'2026-01-01', CAST(id AS INT))"),
    "TimeType" -> Seq("TIME'10:20:30' + make_dt_interval(0, 0, CAST(id AS INT), 0)"),
    "TimestampType" -> Seq("timestamp_seconds(id)"),
    "TimestampNTZType" -> Seq("TIMESTAMP_NTZ'2026-01-01 00:00:00' + make_dt_interval(0, 0, 0, id)"),
    "StringType" -> Seq("concat('s', id)", "concat('s', id) COLLATE UTF8_LCASE"),
    "CharType" -> Seq("concat('s', id)"), "VarcharType" -> Seq("concat('s', id)"),
    "BinaryType" -> Seq("CAST(concat('s', id) AS BINARY)"),
    "DayTimeIntervalType" -> Seq("make_dt_interval(0, 0, 0, id)",
      "CAST(make_dt_interval(CAST(id AS INT)) AS INTERVAL DAY)"),
    "YearMonthIntervalType" -> Seq("make_ym_interval(0, CAST(id AS INT))"),
    "ArrayType" -> Seq("array(id, NULL)", "array(array(named_struct('a.b c', id)))"),
    "MapType" -> Seq("map('k', id)"),
    "StructType" -> Seq("named_struct('x', id, 'a.b `c`', array(id), 'ü', map(id, 'q'))"),
    "VariantType" -> Seq("parse_json(concat('{\"a\": ', id, '}'))"), "NullType" -> Seq("NULL"),
    "CalendarIntervalType" -> Nil, "ObjectType" -> Nil,
    "GeometryType" -> Seq("ST_GeomFromWKB(X'0101000000000000000000F03F0000000000000040')"),
    "GeographyType" -> Seq("ST_GeogFromWKB(X'0101000000000000000000F03F0000000000000040')"),
    "UserDefinedType" -> Nil)

  /** Every class of `org.apache.spark.sql.types` that a column may have as its type. */
  private def classes: Set[String] = {
    val jar = new java.util.jar.JarFile(
      Paths.get(classOf[DataType].getProtectionDomain.getCodeSource.getLocation.toURI).toFile)
    try
      jar.entries.asScala.map(_.getName)
        .filter(_.matches("org/apache/spark/sql/types/[A-Za-z]+\\.class"))
        .map(name => Class.forName(name.stripSuffix(".class").replace('/', '.')))
        .filter(c => classOf[DataType].isAssignableFrom(c) && c != classOf[DataType])
        .filter(c => !Modifier.isAbstract(c.getModifiers) || c == classOf[UserDefinedType[_]])
        .map(_.getSimpleName).toSet
    finally jar.close()
  }

  test("each type of Spark has a row here") {
    val helpers = Set("PythonUserDefinedType", "ExamplePointUDT", "ExamplePoint")
    assert((classes -- helpers -- values.keySet).isEmpty)
  }

  for (((name, expression), i) <- (for ((name, all) <- values.toSeq.sortBy(_._1); one <- all)
      yield (name, one)).zipWithIndex)
    test(s"$name is carried as by Parquet: $expression", Nightly.turn(i, every = 3): _*) {
      withConf("spark.sql.geospatial.enabled" -> "true", "spark.sql.timeType.enabled" -> "true") {
        carried(expression)
      }
    }

  private def carried(expression: String): Unit = {
    def frame(from: Int, to: Int): DataFrame =
      spark.range(from, to).selectExpr("id", s"$expression AS v")
    val (path, parquet) = (fresh(), fresh())
    val byParquet = scala.util.Try {
      frame(0, 60).write.parquet(parquet)
      frame(60, 80).write.mode("append").parquet(parquet)
    }
    if (byParquet.isFailure) {
      val e = failure(write(frame(0, 60), path, "error", "maxLeafRows" -> "10"))
      assert(e.getMessage.contains("'v'") && e.getMessage.contains("SCHEMA_MISMATCH"), e)
      assert(!Files.exists(Paths.get(path)))
    } else {
      write(frame(0, 60), path, "error", "maxLeafRows" -> "10")
      write(frame(60, 80), path, "append")
      write(numbered(80, 90), path, "append")
      write(frame(0, 0), path, "append", "operation" -> "compact")
      val expected = text(spark.read.parquet(parquet))
      assert(text(read(path).where("id < 80")) == expected)
      assert(text(read(path).where("id = 7")) == expected.filter(_.startsWith("7|")))
      assert(read(path).where("v IS NULL AND id >= 80").count() == 10)
      assert(read(path).schema("v").dataType == spark.read.parquet(parquet).schema("v").dataType)
    }
  }

  private def numbered(from: Int, to: Int): DataFrame = spark.range(from, to).toDF("id")

  private def text(frame: DataFrame): Set[String] = frame.collect().map {
    case Row(id, bytes: Array[Byte]) => s"$id|${bytes.mkString(",")}"
    case Row(id, value) => s"$id|$value"
  }.toSet

  private def refuses(column: String, says: String)(write: => Any): Unit = {
    val e = failure(write)
    Seq("COLOCATE_TABLE_SCHEMA_MISMATCH", s"'$column'", says, "Nothing was written").foreach(part =>
      assert(e.getMessage.contains(part), e))
  }

  test("what is not carried is refused by the same sentence, whatever brings it") {
    val says = "INTERVAL"
    def odd = spark.range(3).selectExpr("id", "make_interval(0, 1) AS odd")
    refuses("odd", says)(write(odd, fresh(), "error"))
    val (path, t) = (create(numbered(0, 3)), "odd_types")
    refuses("odd", says)(write(odd, path, "append", "mergeSchema" -> "true"))
    refuses("odd", says)(write(odd, path, "overwrite"))
    refuses("odd", says)(odd.write.format("colocate").saveAsTable(t))
    refuses("odd", "STRUCT")(write(spark.range(3).selectExpr("id",
      "array(named_struct('x', make_interval(0, 1))) AS odd"), fresh(), "error"))
    assert(version(path) == 0 && read(path).count() == 3)
  }

  test(
    "a type of the user's own is carried, and refused where Parquet does not hold what it is made of") {
    def frame(of: UserDefinedType[Weight], from: Int, to: Int): DataFrame = {
      val rows = (from until to).map(i => Row(i.toLong, if (i % 5 == 0) null else Weight(i)))
      spark.createDataFrame(rows.asJava, new StructType().add("id", LongType).add("v", of))
    }
    val path = fresh()
    write(frame(new WeightUDT, 0, 60), path, "error", "maxLeafRows" -> "10")
    write(frame(new WeightUDT, 60, 80), path, "append")
    write(frame(new WeightUDT, 0, 0), path, "append", "operation" -> "compact")
    assert(read(path).schema("v").dataType == new WeightUDT)
    assert(text(read(path)) == text(frame(new WeightUDT, 0, 80)))
    refuses("v", "INTERVAL")(write(frame(new LastingUDT, 0, 3), fresh(), "error"))
  }

  test("the types that can be cut are those that the page names, all others are carried") {
    val page = Files.readString(GenerateDocs.home.resolve("docs/tables.md")).replaceAll("\\s+", " ")
    assert(
      page.contains("Columns of the types boolean, byte to long, float, double, decimal, date," +
        " timestamp (with and without zone), string in binary collation and binary can be cut;" +
        " all others that Parquet files hold are carried."))
    val cut = Seq(BooleanType, ByteType, ShortType, IntegerType, LongType, FloatType, DoubleType,
      DecimalType(9, 2), DateType, TimestampType, TimestampNTZType, StringType, BinaryType)
    val others = Seq(DayTimeIntervalType(), YearMonthIntervalType(), VariantType, NullType,
      ArrayType(LongType), MapType(LongType, LongType), new StructType().add("x", LongType),
      StringType("UTF8_LCASE"), CalendarIntervalType, TimeType(6))
    assert(cut.forall(Orderable(_)) && !others.exists(Orderable(_)))
    assert(new ParquetFileFormat().supportDataType(VariantType))
  }

  test("a frame without columns is refused as Parquet refuses it") {
    val none = spark.range(3).select()
    for (save <- Seq[() => Any](() => write(none, fresh(), "error"),
        () => none.write.format("colocate").saveAsTable("no_columns")))
      assert(failure(save()).getMessage.contains("EMPTY_SCHEMA_NOT_SUPPORTED_FOR_DATASOURCE"))
  }
}

final case class Weight(grams: Long)

class WeightUDT extends UserDefinedType[Weight] {
  override def sqlType: DataType = new StructType().add("grams", LongType)
  override def userClass: Class[Weight] = classOf[Weight]
  override def serialize(weight: Weight): InternalRow = InternalRow(weight.grams)
  override def deserialize(stored: Any): Weight = stored match {
    case row: InternalRow => Weight(row.getLong(0))
  }
}

/** Of a type that no Parquet file holds. */
class LastingUDT extends WeightUDT {
  override def sqlType: DataType = CalendarIntervalType
}
