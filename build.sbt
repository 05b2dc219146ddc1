// One build for every supported Spark: `build/sbt <task>` for the default, and for another
// `build/sbt -Dspark.minor=4.3 <task>`. Which Sparks there are is in project/SparkVersions.scala.

val spark = SparkVersions.current

// The one version, shared with the wheel: the last quoted text of this file.
ThisBuild / version := IO.read(file("python/colocate/_version.py")).split('"').init.last
ThisBuild / organization := "io.colocate"
ThisBuild / scalaVersion := spark.scala
ThisBuild / licenses := Seq(License.Apache2)

// A folder of output per Spark, so that going from one to the other recompiles nothing.
def output(project: String) =
  Def.setting((ThisBuild / baseDirectory).value / "target" / s"spark-${spark.minor}" / project)

lazy val root = (project in file("."))
  .aggregate(engine)
  .settings(
    target := output("root").value,
    publish / skip := true,
    Compile / sources := Nil,
    Test / sources := Nil
  )

// The id is `scala`, after its folder; the value is not, as it would hide the package of that name.
lazy val engine = Project("scala", file("scala"))
  .settings(
    name := s"Colocate for Spark ${spark.minor}",
    description := "Keeps rows which must meet in one place, so that Spark moves fewer of them",
    moduleName := s"colocate-spark${spark.minor}",
    target := output("scala").value,
    crossTarget := target.value,
    compiler,
    shims,
    dependencies,
    jar,
    tests,
    ForbiddenCalls.settings
  )

// Spark's own suites, from its `tests` jars, with the extension switched on. Not part of `test`: say
// `build/sbt 'spark-suites/suites fast'`, or `long`, or suites by name (project/SparkSuites.scala).
lazy val sparkSuites = Project("spark-suites", file("spark-suites"))
  .dependsOn(engine)
  .settings(
    target := output("spark-suites").value,
    crossTarget := target.value,
    publish / skip := true,
    compiler,
    dependencies,
    SparkSuites.settings(spark, sparkJavaOptions)
  )

// Jars for tests; it has no code.
lazy val neighbours = project
  .settings(target := output("neighbours").value, publish / skip := true, Neighbours.settings)

// Not the whole of -Xlint: infer-any, for one, complains about much of what one does with Catalyst.
lazy val compiler = Def.settings(
  scalacOptions ++= Seq("-encoding", "utf-8", "-release", "17"),
  scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Werror"),
  scalacOptions += "-Wunused:imports,privates,locals,implicits,patvars,nowarn",
  scalacOptions ++= Seq(
    "adapted-args,constant,deprecation,doc-detached,eta-sam,inaccessible,missing-interpolator",
    "nonlocal-return,nullary-unit,option-implicit,poly-implicit-overload,private-shadow",
    "stars-align,type-parameter-shadow,valpattern"
  ).map("-Xlint:" + _)
)

// src/{main,test}/scala-shims/spark-4.2-4.3 and the like, those whose range holds this Spark.
lazy val shims = Seq(Compile, Test).flatMap { config =>
  val folder = Def.setting((config / sourceDirectory).value / "scala-shims")
  Seq(
    config / unmanagedSourceDirectories ++= SparkVersions.shims(folder.value),
    // The style holds for all of them.
    config / scalafmt / unmanagedSources :=
      ((config / unmanagedSources).value ++ (folder.value ** "*.scala").get()).distinct
  )
}

// Spark is always Provided: the jar goes onto the class path of a Spark that is there. Its `tests`
// jars never bring dependencies along: they may be those of another Spark than the one at hand.
lazy val dependencies = Def.settings(
  autoScalaLibrary := false,
  libraryDependencies += "org.scala-lang" % "scala-library" % spark.scala % Provided,
  libraryDependencies ++= {
    if (spark.inMaven) Seq("org.apache.spark" %% "spark-sql" % spark.version % Provided) else Nil
  },
  Compile / unmanagedJars ++= {
    if (spark.inMaven) Nil
    else Attributed.blankSeq(SparkVersions.distribution((ThisBuild / baseDirectory).value))
  },
  libraryDependencies ++= Seq("core", "catalyst", "sql", "sql-api", "common-utils", "tags").map {
    m =>
      ("org.apache.spark" %% s"spark-$m" % spark.tests % Test classifier "tests").intransitive()
  },
  libraryDependencies ++= Seq(
    "org.scalatest" %% "scalatest" % "3.2.20" % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
    // HDFS in a test's JVM, of the Hadoop that both Sparks bring.
    ("org.apache.hadoop" % "hadoop-client-minicluster" % "3.5.0" % Test).intransitive(),
    // And its S3, with the parts of the AWS SDK that it calls in place of their bundle of 600 MB.
    ("org.apache.hadoop" % "hadoop-aws" % "3.5.0" % Test).intransitive(),
    ("software.amazon.s3.analyticsaccelerator" % "analyticsaccelerator-s3" % "1.3.1" % Test)
      .intransitive()
  ) ++ Seq("s3", "s3-transfer-manager", "sts").map { part =>
    // Spark brings these.
    "software.amazon.awssdk" % part % "2.35.4" % Test excludeAll (
      ExclusionRule("io.netty"),
      ExclusionRule("org.slf4j"),
      ExclusionRule("commons-codec"))
  }
)

// A thin jar: our classes, the licence, and what it was built from and for.
lazy val jar = Def.settings(
  Compile / packageDoc / publishArtifact := false,
  publishM2Configuration := publishM2Configuration.value.withOverwrite(true),
  Compile / packageBin / mappings +=
    (ThisBuild / baseDirectory).value / "LICENSE" -> "META-INF/LICENSE",
  Compile / resourceGenerators += Def.task {
    val file = (Compile / resourceManaged).value / "io" / "colocate" / "build.properties"
    IO.write(file, s"version=${version.value}\nspark=${spark.version}\nscala=${spark.scala}\n")
    Seq(file)
  }
)

// Two JVMs run suites at once: one keeps little more than a core busy, and a third gains nothing.
Global / concurrentRestrictions := Seq(
  Tags.limitAll(EvaluateTask.SystemProcessors),
  Tags.limit(Tags.ForkedTestGroup, 2),
  Tags.exclusive(Tags.Clean)
)

// Forked, as Spark needs JVM options; one suite after the other, as a JVM holds one SparkContext.
lazy val tests = Def.settings(
  Test / fork := true,
  Test / parallelExecution := true, // of the groups
  Test / testForkedParallel := false, // of the suites of one
  Test / testGrouping := TestGroups(
    (Test / definedTests).value,
    (Test / forkOptions).value,
    target.value / "work",
    (ThisBuild / baseDirectory).value / "tests" / "durations.md"),
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF"),
  // See Nightly.scala.
  Test / testOptions ++= (if (sys.env.contains("COLOCATE_NIGHTLY")) Nil
                          else
                            Seq(
                              Tests.Argument(
                                TestFrameworks.ScalaTest,
                                "-l",
                                "io.colocate.testing.AtNight"))),
  Test / javaOptions ++= sparkJavaOptions ++ Seq(
    "-Xmx3g",
    "-Xss4m",
    "-ea",
    // Suites are short: what C2 compiles takes more time than it saves.
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:+UseParallelGC",
    "-Dspark.testing=1",
    "-Dspark.ui.enabled=false",
    "-Dspark.ui.showConsoleProgress=false",
    "-Dspark.sql.shuffle.partitions=5",
    // A query is run in four ways, with much of its code in common.
    "-Dspark.sql.codegen.cache.maxEntries=1000",
    "-Dderby.system.durability=test",
    "-Djava.awt.headless=true",
    // For what a suite writes into the source tree: golden plans, generated pages.
    s"-Dcolocate.home=${(ThisBuild / baseDirectory).value}",
    s"-Dcolocate.python=${SparkVersions.python((ThisBuild / baseDirectory).value)}"
  ),
  Test / envVars += "SPARK_TESTING" -> "1"
)

// What Spark's own launcher adds on Java 17.
lazy val sparkJavaOptions =
  Seq("--add-modules=jdk.incubator.vector", "-Dio.netty.tryReflectionSetAccessible=true") ++
    """java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util
       java.util.concurrent java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs
       sun.security.action sun.util.calendar""".split("\\s+").map { pkg =>
      s"--add-opens=java.base/$pkg=ALL-UNNAMED"
    }
