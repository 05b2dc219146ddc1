import sbt._
import sbt.Keys._

/**
 * `scala/forbiddenCalls` looks through the classes of the jar for calls that depend on the machine's
 * language, time zone or charset: in Cairo the default locale has digits of its own, in Istanbul "I"
 * is not the capital of "i". What is forbidden is in project/forbidden-calls.txt and in the checker's own
 * list `jdk-unsafe`. The tests run the same check over classes that do what is forbidden.
 */
object ForbiddenCalls {

  private val forbiddenCalls =
    taskKey[Unit]("Fails where a class uses the default locale, time zone or charset")

  val settings: Seq[Setting[_]] = Seq(
    libraryDependencies += "de.thetaphi" % "forbiddenapis" % "3.10" % Test,
    Test / javaOptions += s"-Dcolocate.forbidden=${signatures((ThisBuild / baseDirectory).value)}",
    forbiddenCalls := {
      val checker = update.value.select(moduleFilter(name = "forbiddenapis"))
      val classes = (Compile / classDirectory).value
      val built = (Compile / compile).value
      val libraries = (Compile / dependencyClasspath).value.files
      val options = Seq(
        "-d",
        classes.getPath,
        "-c",
        libraries.mkString(java.io.File.pathSeparator),
        "-b",
        "jdk-unsafe-17",
        "-f",
        signatures((ThisBuild / baseDirectory).value).getPath
      )
      val main = Seq("-cp", checker.mkString(java.io.File.pathSeparator), Main)
      val code = Fork.java(ForkOptions(), main ++ options)
      if (code != 0) sys.error(s"forbidden calls, or a failed check, of $built: see above")
    }
  )

  private val Main = "de.thetaphi.forbiddenapis.cli.CliMain"

  private def signatures(root: File): File = root / "project" / "forbidden-calls.txt"
}
