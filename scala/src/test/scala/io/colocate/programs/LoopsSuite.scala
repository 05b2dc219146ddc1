package io.colocate.programs

import io.colocate.report.ProgramReasons._

/** Recursive queries, and loops of a driver program over cached frames. */
class LoopsSuite extends ProgramKit {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE edges (src INT, dst INT) USING parquet")
    sql("CREATE TABLE rank (node INT, other INT) USING parquet")
  }

  private def paths(turn: String, above: String = "SELECT root, count(*) FROM p GROUP BY root") =
    s"""WITH RECURSIVE p(root, node) AS (
      |  SELECT src, dst FROM edges
      |  UNION ALL
      |  $turn
      |) $above""".stripMargin

  test("a key that each turn hands on is kept") {
    possible(analysed(paths("SELECT root, node + 1 FROM p WHERE node < 5")))(Set("edges.src"))
  }

  test("a function of a key that each turn hands on is kept") {
    val above = "SELECT root % 5, count(*) FROM p GROUP BY root % 5"
    possible(analysed(paths("SELECT root, node + 1 FROM p WHERE node < 5", above)))(
      Set("edges.(src % 5)"))
    impossible(analysed(paths("SELECT root + 1, node FROM p WHERE node < 5", above)))(
      CycleChangesKey)
  }

  test("a key that a turn changes is none") {
    impossible(analysed(paths("SELECT root + 1, node FROM p WHERE root < 5")))(CycleChangesKey)
  }

  test("a key that is swapped in each turn is none") {
    impossible(analysed(paths("SELECT node, root FROM p WHERE root < 5")))(CycleChangesKey)
  }

  test("what no operator needs may change") {
    possible(analysed(paths("SELECT root + 1, node FROM p WHERE root < 5", "SELECT * FROM p")))()
  }

  test("a turn that joins by another key than the one that is kept") {
    impossible(analysed(paths("SELECT p.root, e.dst FROM p JOIN edges e ON p.node = e.src")))(
      NoCommonField)
    possible(analysed(paths("SELECT p.root, e.dst FROM p JOIN edges e ON p.root = e.src")))(
      Set("edges.src"))
  }

  // The published test of nested cycles starts both empty, and so says a.
  test("hole b: of two nested cycles the inner one changes the key of the outer one") {
    impossible(analysed("""WITH RECURSIVE p(root, node) AS (
        |  SELECT src, dst FROM edges
        |  UNION ALL
        |  SELECT node, root FROM (SELECT root, node FROM p WHERE root < 9)
        |), q(root, node) AS (
        |  SELECT root, node FROM p
        |  UNION ALL
        |  SELECT root, node + 1 FROM q WHERE node < 9
        |) SELECT root, count(*) FROM q GROUP BY root""".stripMargin))(CycleChangesKey)
  }

  test("a loop over a cached frame keeps the field that each turn hands on") {
    val ranks = spark.table("rank").cache()
    ranks.createOrReplaceTempView("ranks")
    val turn = "SELECT node, max(other) AS other FROM ranks GROUP BY node"
    possible(analysedFrames(Seq(sql(turn)), Seq(ranks)))(Set("cached (node, other).node"))
    val byPart = sql("SELECT node % 5, count(*) FROM ranks GROUP BY node % 5")
    possible(analysedFrames(Seq(sql(turn), byPart), Seq(ranks)))(
      Set("cached (node, other).(node % 5)"))
    val moved = sql("SELECT node + 1 AS node, other FROM ranks")
    impossible(analysedFrames(Seq(moved, byPart), Seq(ranks)))(CycleChangesKey)
  }
}
