package io.colocate.reason

import java.util.Locale

/** Sizes for a reader. */
object Bytes {
  private val Units = Seq("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

  /** "12.3 MiB", as Spark writes sizes. */
  def text(bytes: Double): String = {
    val step = Units.indices.find(i => bytes / math.pow(1024, i) < 1024).getOrElse(Units.size - 1)
    val format = if (step == 0) "%.0f %s" else "%.1f %s"
    format.formatLocal(Locale.ROOT, bytes / math.pow(1024, step), Units(step))
  }

  /** True where an estimate is one: not unknown, not the product of unknown sizes. */
  def known(bytes: Double): Boolean = bytes >= 0 && bytes < 1e18
}
