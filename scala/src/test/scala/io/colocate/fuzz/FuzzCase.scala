package io.colocate.fuzz

import io.colocate.fuzz.shapes.{Shape, ShapeQueries}
import io.colocate.testing.RunConf

/**
 * One case: what to run and how, all from the run's seed and the case's number.
 *
 * @param worldSeed the seed of its base tables
 */
final case class FuzzCase(
    seed: Long,
    number: Int,
    worldSeed: Long,
    query: Query,
    settings: Seq[(String, String)]) {

  /** The statements that make its base tables. */
  def tables: Seq[String] = FuzzTables.drops ++ KeyTables.drops ++ FuzzTables.creates(worldSeed) ++
    KeyTables.creates(worldSeed)

  /** The case as a script of plain SQL: tables, settings, and the query off and on. */
  def script(run: RunConf, sql: String, why: String): String = {
    val set = (settings ++ run.settings).map { case (k, v) => s"SET $k=$v;" }
    val head = why.linesIterator.map("-- " + _).toSeq
    val again = s"COLOCATE_FUZZ_SEED=$seed COLOCATE_FUZZ_CASE=$number " +
      "build/sbt 'scala/testOnly *PlanFuzzSuite'"
    (head ++ Seq(s"-- $again", "") ++ tables.map(_ + ";") ++ set ++ Seq(
      "SET spark.colocate.enabled=false;", s"$sql;", "SET spark.colocate.enabled=true;", s"$sql;",
      "")).mkString("\n")
  }
}

object FuzzCase {

  /** Cases that share their base tables. */
  val PerWorld = 100

  /** One case of these is without a shape. */
  private val PerRound = 4

  /** The cases after which each shape has occurred once. */
  val Round: Int = Shape.all.length * PerRound / (PerRound - 1) + 1

  def apply(seed: Long, number: Int): FuzzCase = {
    val own = Dice.mix(seed, number)
    val (query, settings) = if (number % PerRound == 1) plain(own, number) else ofShape(own, number)
    FuzzCase(seed, number, Dice.mix(seed, -1 - number / PerWorld), query, settings)
  }

  private def plain(own: Long, number: Int): (Query, Seq[(String, String)]) = {
    val turn = number / PerRound
    val stacks = turn % 2 == 1
    val functions = number % 3 == 1
    val query = new QueryGenerator(own, depth = 3 + turn / 2 % 2, stacks, functions).query()
    (query, FuzzSettings(new Dice(own + 1)))
  }

  /** Shapes take turns; the first of each is alone, and under settings that let it be rewritten. */
  private def ofShape(own: Long, number: Int): (Query, Seq[(String, String)]) = {
    val turn = number - (number + PerRound - 2) / PerRound
    val first = turn < Shape.all.length
    val settings = if (first) FuzzSettings.plain else FuzzSettings.ofShapes(new Dice(own + 1))
    (new ShapeQueries(own, Shape.all(turn % Shape.all.length), sure = first).query(), settings)
  }
}
