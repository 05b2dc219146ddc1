package io.colocate.rule

import java.util.Properties

/** The version of this jar and of the Spark that it was built for; the build writes them into the jar. */
object BuildInfo {

  lazy val version: String = value("version")

  /** The version of Spark that the jar was compiled against, "4.2.0". */
  lazy val spark: String = value("spark")

  /**
   * Refuses a Spark of another minor version than the jar's. It would start, and then fail at the first
   * method that does not exist.
   */
  def requireSpark(running: String): Unit =
    if (spark != Unknown && minor(running) != minor(spark)) {
      throw new IllegalArgumentException(s"[COLOCATE_UNSUPPORTED_SPARK] Spark $running runs, and " +
        s"this jar of Colocate $version is for Spark ${minor(spark)}; accepted: the jar " +
        s"colocate-spark${minor(running)}_2.13-$version.jar, if there is one.")
    }

  private def minor(spark: String): String = spark.split('.').take(2).mkString(".")

  private val Unknown = "unknown"
  private val Resource = "/io/colocate/build.properties"

  private lazy val properties: Properties = {
    val loaded = new Properties
    Option(getClass.getResourceAsStream(Resource)).foreach { stream =>
      try loaded.load(stream)
      finally stream.close()
    }
    loaded
  }

  private def value(key: String): String = properties.getProperty(key, Unknown)
}
