package io.colocate.testing

import java.nio.file.{Files, Path}

import org.scalatest.Assertions._

import org.apache.spark.SPARK_VERSION

/**
 * Texts that are kept in the source tree and compared in every run. `make golden` writes them anew
 * (it sets COLOCATE_UPDATE_GOLDEN=1); read the difference before committing it.
 */
object Golden {

  private val home = Path.of(sys.props.getOrElse("colocate.home", "."))
  private val update = sys.env.get("COLOCATE_UPDATE_GOLDEN").contains("1")

  /** The Spark that is tested, as golden folders are named. */
  val minor: String = SPARK_VERSION.split('.').take(2).mkString(".")

  /** Where the golden texts of this Spark are. */
  def folder: String = s"scala/src/test/resources/golden/$minor"

  /** Compares a text with the file of this path below the project's folder, or writes it. */
  def check(path: String, text: String): Unit = {
    val file = home.resolve(path)
    if (update) {
      Files.createDirectories(file.getParent)
      Files.writeString(file, text)
    } else {
      assume(Files.exists(file), s"$path is not there: run make golden")
      val kept = Files.readString(file)
      assert(kept == text,
        s"$path differs; run make golden and read the difference.\n" +
          firstDifference(kept, text))
    }
  }

  private def firstDifference(kept: String, now: String): String =
    kept.linesIterator.zipAll(now.linesIterator, "<end>", "<end>").zipWithIndex.collectFirst {
      case ((a, b), i) if a != b => s"line ${i + 1}\n  kept: $a\n  now:  $b"
    }.getOrElse("")
}
