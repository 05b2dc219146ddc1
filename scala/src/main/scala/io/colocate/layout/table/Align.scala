package io.colocate.layout.table

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Cast, Literal, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.colocate.layout.log.SchemaMismatch

/** Brings rows into the columns of a table. */
object Align {

  /**
   * By name: columns may come in any order, NULL stands for those that are missing, and types are
   * widened where nothing is lost.
   *
   * @throws SchemaMismatch for a column that the table does not have, or has with another type
   */
  def byName(plan: LogicalPlan, schema: StructType, table: Path, conf: SQLConf): LogicalPlan = {
    val resolver = conf.resolver
    plan.output.find(a => !schema.exists(f => resolver(f.name, a.name))).foreach { a =>
      throw new SchemaMismatch(table.toString,
        s"it has no column '${a.name}'; accepted: ${schema.fieldNames.mkString(", ")}, or the" +
          " option mergeSchema = true, which adds the column. Nothing was written.")
    }
    Project(replaced(schema).map { field =>
        plan.output.find(a => resolver(a.name, field.name)) match {
          case Some(a) => widened(a, field, table, conf)
          case None => Alias(Literal(null, field.dataType), field.name)()
        }
      }, plan)
  }

  /** The same columns under these names. */
  def named(plan: LogicalPlan, names: Seq[String]): LogicalPlan =
    Project(plan.output.zip(names).map { case (a, name) => named(a, name) }, plan)

  /** Whether two schemas are of the same columns in the same order, CHAR and STRING being one type. */
  def same(a: StructType, b: StructType): Boolean =
    columns(a) == columns(b)

  private def columns(schema: StructType): Seq[(String, DataType)] =
    replaced(schema).map(field => field.name -> nullable(field.dataType))

  /**
   * A schema as it is kept: every column may hold NULL, as in all of Spark's files.
   *
   * @throws SchemaMismatch for two columns of the same name
   */
  def kept(schema: StructType, table: Path, conf: SQLConf): StructType = {
    val names = schema.fieldNames.toSeq
    names.combinations(2).find(pair => conf.resolver(pair.head, pair(1))).foreach { pair =>
      throw new SchemaMismatch(table.toString,
        s"two columns are named '${pair.head}' and '${pair(1)}'; accepted: names that differ." +
          " Nothing was written.")
    }
    CarriedTypes.check(schema, table.toString)
    nullable(schema).asInstanceOf[StructType]
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

  private def widened(
      a: Attribute,
      field: StructField,
      table: Path,
      conf: SQLConf): NamedExpression = {
    val (from, to) = (nullable(a.dataType), nullable(field.dataType))
    if (from == to) named(a, field.name)
    else if (Cast.canUpCast(from, to))
      Alias(Cast(a, field.dataType, Some(conf.sessionLocalTimeZone)), field.name)()
    else
      throw new SchemaMismatch(table.toString,
        s"its column '${field.name}' is a ${to.sql}, and the rows have it as ${from.sql};" +
          s" accepted: types that a ${to.sql} holds without loss. Nothing was written.")
  }

  private def named(a: Attribute, name: String): NamedExpression =
    if (a.name == name) a else Alias(a, name)()

  private def replaced(schema: StructType): StructType =
    CharVarcharUtils.replaceCharVarcharWithStringInSchema(schema)
}
