package io.colocate.tables.operations

import scala.collection.mutable

import org.apache.spark.sql.internal.SQLConf

/** When two names are of the same column: as Spark's resolver has it, in one look-up. */
final private[tables] class Names(conf: SQLConf) {

  /** The same for names that mean the same column: character by character, as equalsIgnoreCase. */
  def key(name: String): String =
    if (conf.caseSensitiveAnalysis) name
    else name.map(char => Character.toLowerCase(Character.toUpperCase(char)))

  /** The first two that mean the same column. */
  def twice(names: Seq[String]): Option[(String, String)] = {
    val seen = mutable.HashMap.empty[String, String]
    names.iterator.flatMap(name => seen.put(key(name), name).map(_ -> name)).nextOption()
  }
}
