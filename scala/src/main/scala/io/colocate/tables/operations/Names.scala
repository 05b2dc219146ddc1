package io.colocate.tables.operations

import scala.collection.mutable

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{StructField, StructType}

/** Whether two names mean the same column, as Spark's resolver decides it, in one look-up. */
final private[colocate] class Names(conf: SQLConf) {

  /** Equal for names that mean the same column; folds case by character, as equalsIgnoreCase does. */
  def key(name: String): String =
    if (conf.caseSensitiveAnalysis) name
    else name.map(char => Character.toLowerCase(Character.toUpperCase(char)))

  /** The column that a name means. A case-sensitive session may have created both a and A. */
  def find(schema: StructType, name: String): Option[StructField] =
    schema.find(_.name == name).orElse(schema.find(field => conf.resolver(field.name, name)))

  /** The first two that mean the same column. */
  def twice(names: Seq[String]): Option[(String, String)] = {
    val seen = mutable.HashMap.empty[String, String]
    names.iterator.flatMap(name => seen.put(key(name), name).map(_ -> name)).nextOption()
  }
}
