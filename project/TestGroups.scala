import sbt._

/** The suites in groups, each with a JVM and a working directory of its own. */
object TestGroups {

  /** A JVM takes a quarter of a minute until it plans as fast as it can, so there are few. */
  private val Groups = 4

  /** What a suite takes that the page of durations does not name, in seconds. */
  private val Short = 2.0

  private case class Group(suites: Vector[TestDefinition], seconds: Double)

  /**
   * Groups that take about as long each: the longest suite that is left goes to the group that takes least.
   *
   * @param page tests/durations.md
   */
  def apply(
      suites: Seq[TestDefinition],
      options: ForkOptions,
      work: File,
      page: File): Seq[Tests.Group] = {
    val known = seconds(page)
    def of(suite: TestDefinition) = known.getOrElse(suite.name.stripPrefix("io.colocate."), Short)
    suites.sortBy(suite => (-of(suite), suite.name))
      .foldLeft(Vector.fill(Groups)(Group(Vector.empty, 0))) { (groups, suite) =>
        val (least, i) = groups.zipWithIndex.minBy(_._1.seconds)
        groups.updated(i, Group(least.suites :+ suite, least.seconds + of(suite)))
      }
      .zipWithIndex.map { case (group, number) =>
        // Warehouses, metastores and logs land in here.
        val dir = work / number.toString
        IO.createDirectory(dir)
        val policy = Tests.SubProcess(options.withWorkingDirectory(dir))
        Tests.Group(s"suites $number", group.suites.sortBy(_.name), policy)
      }
  }

  private val Row = raw"\| Scala, Spark [\d.]+ \| (\S+) \| \d+ \| ([\d.]+) \|".r

  /** By suite; of the slowest Spark, where there are several. */
  private def seconds(page: File): Map[String, Double] =
    if (!page.exists) Map.empty
    else
      IO.readLines(page).collect { case Row(suite, time) => suite -> time.toDouble }
        .groupBy(_._1).map { case (suite, times) => suite -> times.map(_._2).max }
}
