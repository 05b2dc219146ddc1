package io.colocate.tables.format

import java.util.{Locale, UUID}

/**
 * The names of the data files of a table: "leaf-00003-<uuid>-c000.snappy.parquet".
 *
 * The leaf is part of the name, because code that sees a file while it is written has no other way to
 * know it. Nothing else uses such names, so a vacuum recognises the files of our writer by them.
 */
private[tables] object DataFileName {

  private val Written =
    """leaf-(\d{5,})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:[-.].*)?""".r

  /**
   * A name that no other file has.
   *
   * @param leaf   position of the leaf that the rows belong to, from the left
   * @param suffix the suffix of Spark's writer, with the extension
   */
  def apply(leaf: Int, suffix: String): String =
    String.format(Locale.ROOT, "leaf-%05d-%s%s", Int.box(leaf), UUID.randomUUID, suffix)

  /** The position of the leaf in a name; None for a name that [[apply]] does not make. */
  def leaf(name: String): Option[Int] = name match {
    case Written(digits) => digits.toIntOption
    case _ => None
  }
}
