package io.colocate.tables.format

import java.util.{Locale, UUID}

/**
 * How the data files of a table are called: "leaf-00003-<uuid>-c000.snappy.parquet".
 *
 * The leaf is part of the name, so that whoever meets a file while it is written knows it from nothing
 * else; a name without another owner tells a vacuum that the file is one of ours.
 */
private[tables] object DataFileName {

  private val Written =
    """leaf-(\d{5,})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:[-.].*)?""".r

  /**
   * A name that no file has.
   *
   * @param leaf   position of the leaf that the rows belong to, from the left
   * @param suffix of Spark's writer, with the extension
   */
  def apply(leaf: Int, suffix: String): String =
    String.format(Locale.ROOT, "leaf-%05d-%s%s", Int.box(leaf), UUID.randomUUID, suffix)

  /** The position of the leaf that a name tells; none for a name that [[apply]] does not give. */
  def leaf(name: String): Option[Int] = name match {
    case Written(digits) => digits.toIntOption
    case _ => None
  }
}
