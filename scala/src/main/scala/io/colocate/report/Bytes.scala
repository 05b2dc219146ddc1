package io.colocate.report

/** Sizes as readable text. */
object Bytes {
  private val Units = Seq("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

  /** "12.3 MiB", as Spark writes sizes. */
  def text(bytes: Double): String = {
    val step = Units.indices.find(i => bytes / math.pow(1024, i) < 1024).getOrElse(Units.size - 1)
    val size = bytes / math.pow(1024, step)
    // Called for every reason that a search considers: a formatter would take a twentieth of planning.
    val tenths = math.round(size * 10)
    val number = if (step == 0) s"${math.round(size)}" else s"${tenths / 10}.${tenths % 10}"
    s"$number ${Units(step)}"
  }

  /** True if a size is known: not unknown, not the product of unknown sizes. */
  def known(bytes: Double): Boolean = bytes >= 0 && bytes < Unknown

  /** The same for a size in Spark's statistics, where "unknown" is a size that no data has. */
  def known(bytes: BigInt): Boolean = known(bytes.toDouble)

  private val Unknown = (1L << 60).toDouble
}
