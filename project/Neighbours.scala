import sbt._
import sbt.Keys._

/** What users run beside Colocate in one session, for tests that start the real thing. */
object Neighbours {

  private val Delta = config("delta").hide

  private val deltaJars = taskKey[File]("Puts the jars of Delta Lake into target/delta")

  val settings: Seq[Setting[_]] = Seq(
    ivyConfigurations += Delta,
    libraryDependencies += "io.delta" % "delta-spark_2.13" % "4.4.0" % Delta,
    deltaJars := {
      val folder = (ThisBuild / baseDirectory).value / "target" / "delta"
      IO.delete(folder)
      val jars = update.value.select(configurationFilter(Delta.name))
      IO.copy(jars.map(jar => jar -> folder / jar.getName))
      folder
    }
  )
}
