package io.colocate.tables.operations

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Literal, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.colocate.tables.format.SchemaMismatch

/** Converts rows to the columns of a table. */
object AlignToSchema {

  /**
   * By name: columns may come in any order, a missing column becomes NULL, and values are cast to wider
   * types if nothing is lost ([[Widening]]). Texts that are too long for a CHAR or VARCHAR fail the query.
   *
   * @throws SchemaMismatch for a column that the table does not have, has with another type, or that
   *                        comes twice
   */
  def byName(plan: LogicalPlan, schema: StructType, table: Path, conf: SQLConf): LogicalPlan = {
    val names = new Names(conf)
    requireApart(plan.output.map(_.name), table, names)
    val known = schema.fieldNames.map(names.key).toSet
    plan.output.find(a => !known(names.key(a.name))).foreach { a =>
      throw new SchemaMismatch(table.toString,
        s"it has no column '${a.name}'; accepted: ${schema.fieldNames.mkString(", ")}, or the" +
          " option mergeSchema = true, which adds the column. Nothing was written.")
    }
    val given_ = plan.output.map(a => names.key(a.name) -> a).toMap
    val widening = new Widening(names)
    val columns = schema.zip(replaced(schema)).map { case (raw, field) =>
      given_.get(names.key(field.name)) match {
        case Some(a) => widened(a, raw, field, table, widening)
        case None => Alias(Literal(null, field.dataType), field.name)()
      }
    }
    Project(columns, plan)
  }

  /** The same columns under these names. */
  def named(plan: LogicalPlan, names: Seq[String]): LogicalPlan =
    Project(plan.output.zip(names).map { case (a, name) => named(a, name) }, plan)

  /** True if two schemas have the same columns in the same order; CHAR and STRING count as one type. */
  def same(a: StructType, b: StructType): Boolean =
    columns(a) == columns(b)

  private def columns(schema: StructType): Seq[(String, DataType)] =
    replaced(schema).map(field => field.name -> nullable(field.dataType))

  /**
   * A schema as it is stored: every column may hold NULL, as in all of Spark's files.
   *
   * @throws SchemaMismatch for two columns of the same name, or two fields of one struct
   */
  def kept(schema: StructType, table: Path, conf: SQLConf): StructType = {
    requireApart(schema, table, new Names(conf))
    CarriedTypes.check(schema, table.toString)
    nullable(schema).asInstanceOf[StructType]
  }

  private def requireApart(dataType: DataType, table: Path, names: Names): Unit = dataType match {
    case struct: StructType =>
      requireApart(struct.fieldNames.toSeq, table, names)
      struct.foreach(field => requireApart(field.dataType, table, names))
    case array: ArrayType => requireApart(array.elementType, table, names)
    case map: MapType =>
      requireApart(map.keyType, table, names)
      requireApart(map.valueType, table, names)
    case _ => ()
  }

  private def requireApart(given_ : Seq[String], table: Path, names: Names): Unit =
    names.twice(given_).foreach { case (first, second) =>
      throw new SchemaMismatch(table.toString,
        s"two columns are named '$first' and '$second'; accepted: names that differ." +
          " Nothing was written.")
    }

  /** The type with NULL allowed at every place in it. */
  def nullable(dataType: DataType): DataType = dataType match {
    case struct: StructType =>
      StructType(
        struct.map(field => field.copy(dataType = nullable(field.dataType), nullable = true)))
    case array: ArrayType => ArrayType(nullable(array.elementType), containsNull = true)
    case map: MapType =>
      MapType(nullable(map.keyType), nullable(map.valueType), valueContainsNull = true)
    case other => other
  }

  /** @param raw the same column with CHAR and VARCHAR as the table has them */
  private def widened(
      a: Attribute,
      raw: StructField,
      field: StructField,
      table: Path,
      widening: Widening): NamedExpression =
    widening(a, field.dataType) match {
      case Right(value) =>
        val checked = CharVarcharUtils.stringLengthCheck(value, raw.dataType)
        if (checked eq a) named(a, field.name) else Alias(checked, field.name)()
      case Left(why) =>
        throw new SchemaMismatch(table.toString,
          s"its column '${field.name}' is a ${raw.dataType.sql}, and the rows have it as" +
            s" ${a.dataType.sql}: $why; accepted: types that a ${raw.dataType.sql} holds without" +
            " loss. Nothing was written.")
    }

  private def named(a: Attribute, name: String): NamedExpression =
    if (a.name == name) a else Alias(a, name)()

  private def replaced(schema: StructType): StructType =
    CharVarcharUtils.replaceCharVarcharWithStringInSchema(schema)
}
