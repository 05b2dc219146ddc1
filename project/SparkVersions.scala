import sbt._

/**
 * The Sparks that Colocate is built for. This is the only place that names Spark and Scala versions:
 * the Makefile, the Python package and the packaging tests read the rows of this file.
 *
 * To add a minor, add a row, and under scala/src/main/scala-shims a folder for what differs.
 */
object SparkVersions {

  /**
   * @param version  the Spark that is compiled against
   * @param scala    its exact Scala: another patch of 2.13 can fail at run time
   * @param inMaven  false where the jars come from the PySpark distribution in `.venv-spark<minor>`
   * @param tests    the Spark whose `tests` jars the suites use
   */
  final case class Spark(version: String, scala: String, inMaven: Boolean, tests: String) {
    val minor: String = version.split('.').take(2).mkString(".")
  }

  /** The first row is the default. Keep one row to a line: others than Scala read them. */
  val all: Seq[Spark] = Seq(
    Spark("4.2.0", scala = "2.13.18", inMaven = true, tests = "4.2.0"),
    Spark("4.3.0", scala = "2.13.18", inMaven = false, tests = "4.2.0")
  )

  /** The Spark of this build, chosen by -Dspark.minor=4.3. */
  val current: Spark = sys.props.get("spark.minor").fold(all.head) { minor =>
    all.find(_.minor == minor).getOrElse(
      sys.error(s"-Dspark.minor=$minor is not one of ${all.map(_.minor).mkString(", ")}"))
  }

  /**
   * The shim folders under `dir` that hold for this build's Spark. The name of a folder is its range:
   * `spark-4.2` (one minor), `spark-4.2-4.3` (from, to), `spark-4.3+` (from).
   */
  def shims(dir: File): Seq[File] = {
    val here = number(current.minor)
    Option(dir.listFiles).toSeq.flatten.filter(_.isDirectory).sorted.filter { folder =>
      folder.getName match {
        case Range(from, null, null) => number(from) == here
        case Range(from, "+", null) => number(from) <= here
        case Range(from, null, to) => number(from) <= here && here <= number(to)
        case other =>
          sys.error(s"$folder: a shim folder is named like spark-4.2, spark-4.2-4.3 or spark-4.3+")
      }
    }
  }

  /** The Python environment of this build's Spark, as the Makefile makes it. */
  def environment(root: File): File =
    root / (if (current == all.head) ".venv" else s".venv-spark${current.minor}")

  /** The Python in it. */
  def python(root: File): File = environment(root) / "bin" / "python"

  /** The jars of a PySpark distribution, for a Spark that Maven does not have. */
  def distribution(root: File): Seq[File] = {
    val venv = environment(root)
    val jars = (venv / "lib" * "python*" / "site-packages" / "pyspark" / "jars" * "*.jar").get()
    if (jars.isEmpty) sys.error(s"no jars of Spark ${current.version}: run make ${venv.getName}")
    jars
  }

  private val Range = """spark-(\d+\.\d+)(?:(\+)|-(\d+\.\d+))?""".r

  /** Minors compare as numbers, 4.10 after 4.9. */
  private def number(minor: String): Int = {
    val Array(a, b) = minor.split('.').map(_.toInt)
    a * 1000 + b
  }
}
