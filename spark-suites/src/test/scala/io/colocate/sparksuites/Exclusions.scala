package io.colocate.sparksuites

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/**
 * The lines of excluded.txt, `suite | when | test | reason`.
 *
 * @param steady false where the test fails here and passes there, so that nothing is expected of it
 */
final case class Exclusion(suite: String, test: String, steady: Boolean)

object Exclusion {

  /** Those that hold in this half of the run: adaptive execution `on` or `off`. */
  def read(file: Path, aqe: String): Seq[Exclusion] =
    Files.readAllLines(file).asScala.toSeq.filterNot(l => l.isBlank || l.startsWith("#")).flatMap {
      case Line(suite, when, test, _) if Whens.contains(when) =>
        val words = when.split(", ").toSet
        val here = words(aqe) || !words.exists(Halves)
        Option.when(here)(Exclusion(suite, test, steady = !words("varies")))
      case other =>
        sys.error(s"$file: not 'suite | ${Whens.mkString(" or ")} | test | reason': $other")
    }

  private val Halves = Set("on", "off")
  private val Whens = Seq("both", "on", "off", "varies", "on, varies", "off, varies")

  // The name of a test may hold the separator, the rest does not.
  private val Line = """([^|]+) \| ([\w, ]+) \| (.+) \| ([^|]+)""".r
}
