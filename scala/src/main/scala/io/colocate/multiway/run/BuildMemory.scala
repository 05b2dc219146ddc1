package io.colocate.multiway.run

import org.apache.spark.{SparkConf, SparkContext}

/**
 * What it takes to build tries of relations, in bytes of the heap: an upper bound by how many rows there
 * are and how they came, as a file may hold a hundred rows in the bytes that one takes here.
 *
 * {{{
 *   10 million rows of two INT keys, 14 MiB of Parquet:
 *     as they came      160 MB     two blocks of 8 bytes
 *     what is built   1,080 MB     dictionaries, ranks, levels, the order, with copies on the way
 * }}}
 */
private[multiway] object BuildMemory {

  /** A number's places in a dictionary that is hashed, its rank, its levels in a trie, and their copies. */
  private val Number = 46L

  /** The same of a text, which is an object in two tables besides. */
  private val Text = 180L

  /** The order of the rows while they are sorted. */
  private val Order = 16L

  /** Where a carried row lies. */
  private val Carried = 20L

  /** What is built of one row, beside the row as it came. */
  def perRow(mode: RelationMode): Long = {
    val keys = mode.keyTypes.map(KeyType.orThrow(_) match {
      case _: NumberKey => Number
      case _: TextKey => Text
    }).sum
    keys + Order + (if (mode.payload.isEmpty) 0 else Carried)
  }

  /** What the rows of a relation take while they are built. */
  def of(mode: RelationMode, relation: EncodedRelation): Long =
    relation.bytes + relation.rows * perRow(mode)

  /** The most that may be built once on an executor: half of what Spark divides among tasks and cached data. */
  def mostBuilt(context: SparkContext): Long =
    if (context.isLocal) ofThisJvm(context) / 2
    else divided(context.getConf, context.getConf.getSizeAsBytes("spark.executor.memory", "1g")) / 2

  /** The most that may lie in the driver to be sent from there. */
  def mostSent(context: SparkContext): Long =
    if (context.isLocal) ofThisJvm(context) / 2
    else divided(context.getConf, Runtime.getRuntime.maxMemory) / 2

  private def ofThisJvm(context: SparkContext): Long =
    context.getExecutorMemoryStatus.values.map(_._1).min

  private def divided(conf: SparkConf, heap: Long): Long =
    ((heap - Reserved).max(0) * conf.getDouble("spark.memory.fraction", 0.6)).toLong

  /** Spark's own reserve. */
  private val Reserved = 300L << 20
}
