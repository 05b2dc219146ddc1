import java.util.Properties

import scala.concurrent.{blocking, Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.Duration

import sbt._
import sbt.Keys._
import sbt.complete.DefaultParsers.spaceDelimited

/**
 * Runs Spark's own suites as they are in its `tests` jars. Which ones is in spark-suites/suites.txt.
 * Each half (adaptive execution on, and off for the suites that leave it open) has a JVM of its own,
 * in the long set one for each group of suites. `--on` and `--off` run one half, `--without` leaves
 * the extension out, to see whether a failure is ours; `--excluded` runs only what is named as
 * excluded.
 */
object SparkSuites {

  private val suites = inputKey[Unit]("Spark's own suites: fast, long, a group, or suites by name")
  private val sparkHome = taskKey[File]("A home of Spark, with the resources of its tests")

  def settings(spark: SparkVersions.Spark, sparkJavaOptions: Seq[String]): Seq[Setting[_]] = Seq(
    libraryDependencies ++= libraries(spark),
    sparkHome := unpack(target.value / "spark-home", (Test / dependencyClasspath).value.files),
    suites := {
      val args =
        spaceDelimited(
          "fast | long | <group> | <suite> ... [--on | --off] [--without] [--excluded]").parsed
      val (options, asked) = args.partition(_.startsWith("--"))
      val unknown = options.toSet -- Set("--on", "--off", "--without", "--excluded")
      if (unknown.nonEmpty) sys.error(s"no such option: ${unknown.mkString(", ")}")
      val home = sparkHome.value
      val root = (ThisBuild / baseDirectory).value
      val settings = baseDirectory.value
      val resources = homes.values.toSeq.map(home / _)
      val classpath = resources ++ (Test / fullClasspath).value.files
      val work = target.value / "work"
      val jvm = Jvm(
        classpath,
        javaOptions(sparkJavaOptions, home, options.contains("--without")) :+
          s"-Dcolocate.suites.excluded=${options.contains("--excluded")}",
        environment(root, home),
        settings / "excluded.txt",
        work
      )
      val halves = Seq(true, false).filter(on => !options.contains(if (on) "--off" else "--on"))
      run(listed(settings), asked, halves, jvm)
    }
  )

  /** What the suites of Spark need besides Spark; its `tests` jars bring nothing along. */
  private def libraries(spark: SparkVersions.Spark): Seq[ModuleID] = Seq(
    "org.scalatestplus" %% "mockito-5-18" % "3.2.19.0",
    "org.mockito" % "mockito-core" % "5.23.0",
    "net.bytebuddy" % "byte-buddy" % "1.18.4",
    "net.bytebuddy" % "byte-buddy-agent" % "1.18.4",
    "org.junit.jupiter" % "junit-jupiter-api" % "6.0.3",
    "org.scala-lang" % "scala-compiler" % spark.scala,
    "com.h2database" % "h2" % "2.3.232",
    "org.apache.parquet" % "parquet-avro" % "1.17.0"
  ).map(_ % Test) ++ Seq("column", "common", "encoding").map { module =>
    ("org.apache.parquet" % s"parquet-$module" % "1.17.0" % Test classifier "tests").intransitive()
  }

  // --- Spark's home --------------------------------------------------------------------------------

  /** Where Spark's source tree has the test resources of a module. */
  private val homes = Seq("core" -> "core", "catalyst" -> "sql/catalyst", "sql" -> "sql/core").toMap
    .map { case (module, folder) => module -> s"$folder/src/test/resources" }

  /** Suites ask for files of Spark's source tree, which an entry of a jar is not. */
  private def unpack(home: File, classpath: Seq[File]): File = {
    val done = home / "unpacked"
    if (!done.exists) {
      homes.foreach { case (module, folder) =>
        val name = s"spark-${module}_.*-tests\\.jar"
        val jar = classpath.find(_.getName.matches(name)).getOrElse(sys.error(s"no $name"))
        IO.unzip(jar, home / folder, (entry: String) => !entry.endsWith(".class"))
      }
      IO.touch(done)
    }
    home
  }

  // --- The JVMs ------------------------------------------------------------------------------------

  private case class Jvm(
      classpath: Seq[File],
      options: Seq[String],
      environment: Map[String, String],
      excluded: File,
      work: File) {

    /** Runs suites in a new JVM. One that dies leaves no result, and counts as a failure. */
    def apply(suites: Seq[String], adaptive: Boolean): Result = {
      val work = this.work / (if (adaptive) "on" else "off")
      IO.delete(work)
      IO.createDirectory(work / "tmp")
      val result = work / "result.properties"
      val half =
        if (adaptive) Seq("-Dcolocate.suites.aqe=on")
        else Seq("-Dcolocate.suites.aqe=off", "-Dspark.sql.adaptive.enabled=false")
      val fork = ForkOptions()
        .withWorkingDirectory(work)
        .withEnvVars(environment)
        .withRunJVMOptions((options ++ half :+ s"-Djava.io.tmpdir=${work / "tmp"}").toVector)
        .withOutputStrategy(OutputStrategy.StdoutOutput)
      val files = Seq(excluded, result).map(_.getPath)
      val main = Seq("-cp", classpath.mkString(java.io.File.pathSeparator), Main)
      val code = Fork.java(fork, main ++ files ++ suites)
      if (code == 0 && result.exists) Result.read(result)
      else {
        println(s"The JVM ended with $code before it had run its suites: ${suites.mkString(", ")}")
        Result(0, 1, 0, 0, 0)
      }
    }
  }

  private val Main = "io.colocate.sparksuites.RunSuites"
  private val Extensions =
    Seq("ColocateExtensions", "sparksuites.SparksExplain", "sparksuites.CountPlans")
      .map("io.colocate." + _).mkString(",")

  private def javaOptions(
      sparkJavaOptions: Seq[String],
      home: File,
      without: Boolean): Seq[String] = {
    val extensions = Seq(
      s"-Dspark.sql.extensions=$Extensions",
      "-Dspark.colocate.testing.rethrowErrors=true",
      "-Dspark.colocate.testing.strictReasons=true"
    )
    sparkJavaOptions ++ (if (without) Nil else extensions) ++ Seq(
      "-Xmx3g",
      "-Xss4m",
      "-ea",
      "-XX:TieredStopAtLevel=1",
      "-XX:+UseParallelGC",
      "-XX:ReservedCodeCacheSize=256m",
      "-XX:+EnableDynamicAgentLoading",
      "-Dlog4j2.configurationFile=log4j2.properties",
      "-Dspark.testing=1",
      "-Dspark.ui.enabled=false",
      "-Dspark.ui.showConsoleProgress=false",
      "-Dspark.unsafe.exceptionOnMemoryLeak=true",
      "-Dderby.system.durability=test",
      "-Djava.awt.headless=true",
      s"-Dspark.test.home=$home"
    )
  }

  /** With the Python that has PySpark, the suites of Python functions run as well. */
  private def environment(root: File, home: File) = {
    val python = SparkVersions.python(root)
    Map("SPARK_TESTING" -> "1", "SPARK_HOME" -> home.getPath) ++
      Seq("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON").filter(_ => python.exists).map(
        _ -> python.getPath)
  }

  // --- The run -------------------------------------------------------------------------------------

  /**
   * A row of suites.txt. `both`: the suite leaves adaptive execution open, so it runs twice. `fast`: the ways
   * of adaptive execution in which it runs in the fast set.
   */
  private case class Row(suite: String, group: String, fast: Set[Boolean], both: Boolean) {
    def runs(adaptive: Boolean): Boolean = adaptive || both
  }

  private val sets = Map(
    "fast" -> Set(true, false),
    "fast on" -> Set(true),
    "fast off" -> Set(false),
    "long" -> Set.empty[Boolean])

  private def listed(settings: File): Seq[Row] = {
    val rows = lines(settings / "suites.txt").map {
      case Array(suite, group, set, aqe @ ("both" | "fixed")) if sets.contains(set) =>
        Row(suite, group, sets(set), aqe == "both")
      case other =>
        sys.error(
          s"suites.txt: not 'suite | group | ${sets.keys.mkString(", ")} | both or fixed': ${other.mkString(" | ")}")
    }
    val unknown = lines(settings / "excluded.txt").map(_.head).toSet -- rows.map(_.suite)
    if (unknown.nonEmpty) sys.error(s"excluded.txt: not in suites.txt: ${unknown.mkString(", ")}")
    rows
  }

  private def lines(file: File): Seq[Array[String]] =
    IO.readLines(file).filterNot(line => line.isBlank || line.startsWith("#")).map(
      _.split('|').map(_.trim))

  private def run(rows: Seq[Row], asked: Seq[String], halves: Seq[Boolean], jvm: Jvm): Unit = {
    def named(row: Row) = asked.exists(name => row.suite == name || row.suite.endsWith(s".$name"))
    val fast = asked == Seq("fast")
    val parts: Seq[Seq[Row]] = asked match {
      case Seq("fast") => Seq(rows.filter(_.fast.nonEmpty))
      case Seq("long") => byGroup(rows)
      case Seq(group) if rows.exists(_.group == group) => Seq(rows.filter(_.group == group))
      case _ => Seq(rows.filter(named))
    }
    if (parts.forall(_.isEmpty)) sys.error(s"no suite is called ${asked.mkString(", ")}")
    // Both halves at once: planning, most of what these suites do, keeps one core busy.
    val results = halves.map { adaptive =>
      Future(blocking {
        parts.map(_.filter(row => row.runs(adaptive) && (!fast || row.fast(adaptive))))
          .filter(_.nonEmpty).map(part => jvm(part.map(_.suite), adaptive))
      })
    }.flatMap(Await.result(_, Duration.Inf))
    val total = results.foldLeft(Result(0, 0, 0, 0, 0))(_ + _)
    println(s"The planner changed ${total.changed} of ${total.plans} plans.")
    println(s"${total.excluded} tests are left out, for the reasons in spark-suites/excluded.txt.")
    println(s"${total.passed} passed, ${total.failed} failed")
    if (total.failed > 0) throw new MessageOnlyException("Spark's suites failed.")
  }

  /** In the order of the file. */
  private def byGroup(rows: Seq[Row]): Seq[Seq[Row]] =
    rows.map(_.group).distinct.map(group => rows.filter(_.group == group))

  private case class Result(passed: Int, failed: Int, excluded: Int, plans: Int, changed: Int) {
    def +(other: Result): Result = Result(
      passed + other.passed,
      failed + other.failed,
      excluded + other.excluded,
      plans + other.plans,
      changed + other.changed
    )
  }

  private object Result {
    def read(file: File): Result = {
      val properties = new Properties
      IO.load(properties, file)
      def number(key: String) = properties.getProperty(key).toInt
      Result(
        number("passed"),
        number("failed"),
        number("excluded"),
        number("plans"),
        number("changed"))
    }
  }
}
