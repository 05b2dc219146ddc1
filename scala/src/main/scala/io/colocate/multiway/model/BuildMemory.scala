package io.colocate.multiway.model

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.types.DataType

/**
 * The heap memory for building tries of relations, in bytes: an upper bound by the number and the form
 * of their rows, as a file may hold a hundred rows in the bytes that one row takes here.
 *
 * {{{
 *   10 million rows of two INT keys, 14 MiB of Parquet:
 *     as received       160 MB     two blocks of 8 bytes
 *     as built        1,080 MB     dictionaries, ranks, levels, the order, with copies on the way
 * }}}
 */
private[multiway] object BuildMemory {

  /** A number's slots in a hashed dictionary, its rank, its levels in a trie, and their copies. */
  private val Number = 46L

  /** The same for a text, which is also an object in two tables. */
  private val Text = 180L

  /** The order of the rows while they are sorted. */
  private val Order = 16L

  /** The position of a carried row. */
  private val Carried = 20L

  /** The bytes that are built for one row, besides the row as received. */
  def perRow(mode: RelationMode): Long = perRow(mode.keyTypes, mode.payload.nonEmpty)

  /** @param carried whether there are columns beside the keys */
  def perRow(keys: Seq[DataType], carried: Boolean): Long = {
    val each = keys.map(KeyType.orThrow(_) match {
      case _: NumberKey => Number
      case _: TextKey => Text
    })
    each.sum + Order + (if (carried) Carried else 0)
  }

  /** The bytes of a relation while its tries are built. */
  def of(mode: RelationMode, relation: EncodedRelation): Long =
    relation.bytes + relation.rows * perRow(mode)
}

/**
 * How much memory the rows of a relation may take: half of what Spark divides among tasks and cached data.
 *
 * @param sent  in the driver, as received
 * @param built on an executor, with the tries built of them
 */
final case class MostMemory(sent: Long, built: Long)

private[multiway] object MostMemory {

  val Unlimited: MostMemory = MostMemory(Long.MaxValue, Long.MaxValue)

  def of(context: SparkContext): MostMemory =
    if (context.isLocal) {
      val own = context.getExecutorMemoryStatus.values.map(_._1).min / 2
      MostMemory(own, own)
    } else
      MostMemory(divided(context.getConf, Runtime.getRuntime.maxMemory) / 2,
        divided(context.getConf, context.getConf.getSizeAsBytes("spark.executor.memory", "1g")) / 2)

  /** The most for one task, beside others on its executor. */
  def ofTask(context: SparkContext): Long = {
    val cores =
      if (context.isLocal) context.defaultParallelism
      else
        context.getConf.getInt("spark.executor.cores",
          context.defaultParallelism / (context.getExecutorMemoryStatus.size - 1).max(1))
    of(context).built / cores.max(1)
  }

  private def divided(conf: SparkConf, heap: Long): Long =
    ((heap - Reserved).max(0) * conf.getDouble("spark.memory.fraction", 0.6)).toLong

  /** Spark's own reserve. */
  private val Reserved = 300L << 20
}
