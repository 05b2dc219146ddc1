package io.colocate.fuzz

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

  /** The case as a script of plain SQL: tables, settings, and the query off and on. */
  def script(run: RunConf, sql: String, why: String): String = {
    val set = (settings ++ run.settings).map { case (k, v) => s"SET $k=$v;" }
    val head = why.linesIterator.map("-- " + _).toSeq
    val again = s"COLOCATE_FUZZ_SEED=$seed COLOCATE_FUZZ_CASE=$number " +
      "build/sbt 'scala/testOnly *PlanFuzzSuite'"
    (head ++ Seq(s"-- $again", "") ++ (FuzzTables.drops ++ FuzzTables.creates(worldSeed)).map(
      _ + ";") ++
      set ++ Seq("SET spark.colocate.enabled=false;", s"$sql;", "SET spark.colocate.enabled=true;",
        s"$sql;", "")).mkString("\n")
  }
}

object FuzzCase {

  /** Cases that share their base tables. */
  val PerWorld = 100

  def apply(seed: Long, number: Int): FuzzCase = {
    val own = Dice.mix(seed, number)
    val stacks = number % 4 % 3 == 0
    val functions = number % 3 == 1
    val query = new QueryGenerator(own, depth = 3 + (number % 2), stacks, functions).query()
    FuzzCase(seed, number, Dice.mix(seed, -1 - number / PerWorld), query,
      FuzzSettings(new Dice(own + 1)))
  }
}
