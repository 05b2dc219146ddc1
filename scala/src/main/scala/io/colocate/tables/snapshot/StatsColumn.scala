package io.colocate.tables.snapshot

import java.util.BitSet

import org.apache.spark.sql.types.DataType

import io.colocate.tables.format.ColumnStats

/**
 * The statistics of one column in all files of a version, file by file. Pruning reads them from
 * here without making an object for each file.
 */
final class StatsColumn private[tables] (val dataType: DataType) {

  private var known = new BitSet
  private var bounds = new BitSet
  private var mins = Values.of(dataType)
  private var maxes = Values.of(dataType)
  private var nullCounts = new Longs
  private var nanCounts = new Longs
  private var lengths = new Longs

  /** False if this file has no statistics for the column. */
  def has(file: Int): Boolean = known.get(file)

  /** See [[ColumnStats]]. */
  def bounded(file: Int): Boolean = bounds.get(file)

  /** null if there is no bound. */
  def min(file: Int): Any = mins(file)

  /** null if there is no bound. */
  def max(file: Int): Any = maxes(file)

  def nulls(file: Int): Long = nullCounts(file)

  def nans(file: Int): Long = nanCounts(file)

  /** Bytes in memory of all values of a type without a fixed length; 0 if unknown. */
  def length(file: Int): Long = lengths(file)

  def apply(file: Int): Option[ColumnStats] = Option.when(has(file))(ColumnStats(Option(min(file)),
    Option(max(file)), nulls(file), nans(file), bounded(file), length(file)))

  private[tables] def update(file: Int, stats: ColumnStats): Unit = {
    known.set(file)
    bounds.set(file, stats.bounded)
    mins(file) = stats.min.orNull
    maxes(file) = stats.max.orNull
    nullCounts(file) = stats.nulls
    nanCounts(file) = stats.nans
    lengths(file) = stats.length
  }

  private[tables] def gather(files: Array[Int]): StatsColumn = {
    val gathered = new StatsColumn(dataType)
    gathered.known = Bits.gather(known, files)
    gathered.bounds = Bits.gather(bounds, files)
    gathered.mins = mins.gather(files)
    gathered.maxes = maxes.gather(files)
    gathered.nullCounts = nullCounts.gather(files)
    gathered.nanCounts = nanCounts.gather(files)
    gathered.lengths = lengths.gather(files)
    gathered
  }
}
