package io.colocate.explain

import java.util.Properties

/** What this jar is and for which Spark it was built; the build writes it into the jar. */
object BuildInfo {

  lazy val version: String = value("version")

  /** The Spark that was compiled against, "4.2.0". */
  lazy val spark: String = value("spark")

  private val Resource = "/io/colocate/build.properties"

  private lazy val properties: Properties = {
    val loaded = new Properties
    Option(getClass.getResourceAsStream(Resource)).foreach { stream =>
      try loaded.load(stream)
      finally stream.close()
    }
    loaded
  }

  private def value(key: String): String = properties.getProperty(key, "unknown")
}
