package io.colocate.adapt.window

import org.apache.spark.sql.types.StructType

/** The share of a row's bytes that some columns have, as Spark reckons with their types. */
object RowShare {
  def apply(schema: StructType, columns: Set[String]): Double = {
    val (some, all) = (schema.filter(field => columns(field.name)), schema)
    some.map(_.dataType.defaultSize.toLong).sum.toDouble / all.map(
      _.dataType.defaultSize.toLong).sum.max(1)
  }
}
