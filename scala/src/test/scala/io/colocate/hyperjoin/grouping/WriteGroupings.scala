package io.colocate.hyperjoin.grouping

import java.nio.file.{Files, Path, Paths}

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.module.scala.DefaultScalaModule

/**
 * Writes all [[Instances]] and how each algorithm groups them to target/groupings.json, for
 * `python -m benchmarks joins groupings`.
 *
 * {{{
 *   build/sbt 'scala/Test/runMain io.colocate.hyperjoin.grouping.WriteGroupings'
 * }}}
 */
object WriteGroupings {

  private val algorithms =
    Seq("published" -> PublishedGrouping, "sorted" -> SortedGrouping,
      "exact" -> new ExactGrouping(32))

  def main(args: Array[String]): Unit = {
    val home = Paths.get(sys.props.getOrElse("colocate.home", ".")).toAbsolutePath.normalize
    val path = home.resolve("target/groupings.json")
    val problems =
      for (family <- Instances.all; seed <- 0 until family.count)
        yield (family.name, seed, family.problem(seed))
    // Once unmeasured, so that all is compiled.
    for ((_, _, problem) <- problems; (_, algorithm) <- algorithms) algorithm.group(problem)
    write(path, problems.map { case (family, seed, problem) => record(family, seed, problem) })
    println(s"wrote ${problems.length} instances to ${home.relativize(path)}")
  }

  private def record(family: String, seed: Int, problem: GroupingProblem): Map[String, Any] = Map(
    "family" -> family, "seed" -> seed, "weights" -> problem.weights,
    "probe_bytes" -> problem.probeBytes, "overlaps" -> problem.overlaps.probed,
    "budget" -> problem.budget,
    "groupings" -> algorithms.map { case (name, algorithm) =>
      val start = System.nanoTime()
      val grouping = algorithm.group(problem)
      val seconds = (System.nanoTime() - start) / 1e9
      name -> Map("groups" -> grouping.groups, "seconds" -> seconds)
    }.toMap)

  private def write(path: Path, content: Any): Unit = {
    Files.createDirectories(path.getParent)
    val mapper = new ObjectMapper().registerModule(DefaultScalaModule)
    Files.write(path, mapper.writeValueAsBytes(content))
  }
}
