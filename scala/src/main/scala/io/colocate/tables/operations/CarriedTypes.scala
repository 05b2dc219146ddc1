package io.colocate.tables.operations

import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.types._

import io.colocate.tables.format.SchemaMismatch

/** The types that a table can store: those that Spark's Parquet writer and reader support. */
object CarriedTypes {

  private val parquet = new ParquetFileFormat

  /** @throws SchemaMismatch for a column that no Parquet file can hold */
  def check(schema: StructType, path: String): Unit =
    schema.foreach { field =>
      refused(field.dataType).foreach { part =>
        val where = if (part == field.dataType) "" else s", with a ${part.sql} in it"
        throw new SchemaMismatch(path,
          s"its column '${field.name}' is a ${field.dataType.sql}$where, which Parquet files do not" +
            " hold; accepted: any type that they hold. Nothing was written.")
      }
    }

  /** The part of a type that cannot be stored. */
  private def refused(dataType: DataType): Option[DataType] = dataType match {
    case struct: StructType if struct.isEmpty => Some(struct)
    case struct: StructType => struct.iterator.flatMap(f => refused(f.dataType)).nextOption()
    case array: ArrayType => refused(array.elementType)
    case map: MapType => refused(map.keyType).orElse(refused(map.valueType))
    case udt: UserDefinedType[_] => refused(udt.sqlType).map(_ => udt)
    case other => Option.unless(parquet.supportDataType(other))(other)
  }
}
