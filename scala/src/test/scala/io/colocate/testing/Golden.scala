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

  /** The Spark whose texts hold for every other that has none of its own. */
  val defaultMinor = "4.2"

  /** Compares a text with what is kept for this Spark, or writes it where it differs. */
  def checkPlans(name: String, text: String): Unit = {
    val Seq(own, usual) = Seq(minor, defaultMinor)
      .map(m => s"scala/src/test/resources/golden/$m/$name")
    if (update && own != usual && read(usual).contains(text))
      Files.deleteIfExists(home.resolve(own))
    else check(if (update || Files.exists(home.resolve(own))) own else usual, text)
  }

  /** Compares a text with the file of this path below the project's folder, or writes it. */
  def check(path: String, text: String): Unit =
    if (update) {
      Files.createDirectories(home.resolve(path).getParent)
      Files.writeString(home.resolve(path), text)
    } else {
      val kept = read(path).getOrElse(fail(s"$path is not there: run make golden"))
      assert(kept == text,
        s"$path differs; run make golden and read the difference.\n" +
          firstDifference(kept, text))
    }

  private def read(path: String): Option[String] =
    Option.when(Files.exists(home.resolve(path)))(Files.readString(home.resolve(path)))

  private def firstDifference(kept: String, now: String): String =
    kept.linesIterator.zipAll(now.linesIterator, "<end>", "<end>").zipWithIndex.collectFirst {
      case ((a, b), i) if a != b => s"line ${i + 1}\n  kept: $a\n  now:  $b"
    }.getOrElse("")
}
