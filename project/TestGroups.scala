import sbt._

/** The suites in groups, each with a JVM and a working directory of its own. */
object TestGroups {

  /** A JVM takes a quarter of a minute until it plans as fast as it can, so there are few. */
  private val Groups = 8

  def apply(suites: Seq[TestDefinition], options: ForkOptions, work: File): Seq[Tests.Group] =
    suites.sortBy(_.name).zipWithIndex.groupBy(_._2 % Groups).toSeq.sortBy(_._1).map {
      case (number, members) =>
        // Warehouses, metastores and logs land in here.
        val dir = work / number.toString
        IO.createDirectory(dir)
        val policy = Tests.SubProcess(options.withWorkingDirectory(dir))
        Tests.Group(s"suites $number", members.map(_._1), policy)
    }
}
