import sbt._
import sbt.Keys._

/**
 * What users run beside Colocate in one session, for tests that start the real thing. A project of its own, so
 * that nothing else resolves or publishes it.
 */
object Neighbours {

  private val deltaJars = taskKey[File]("Puts the jars of Delta Lake into target/delta")

  val settings: Seq[Setting[_]] = Seq(
    autoScalaLibrary := false,
    libraryDependencies += "io.delta" % "delta-spark_2.13" % "4.4.0",
    deltaJars := {
      val folder = (ThisBuild / baseDirectory).value / "target" / "delta"
      IO.delete(folder)
      val jars = update.value.select(configurationFilter(Runtime.name))
      IO.copy(jars.map(jar => jar -> folder / jar.getName))
      folder
    }
  )
}
