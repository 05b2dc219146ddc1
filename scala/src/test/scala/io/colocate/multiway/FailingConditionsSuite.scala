package io.colocate.multiway

import org.apache.spark.sql.Row

/** What may fail is evaluated on rows of the query alone, which its other joins and checks have left. */
class FailingConditionsSuite extends MultiwaySession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    view("a", "src, dst, w", Seq(Seq(1, 2, 5), Seq(9, 8, 0)))
    view("b", "src, dst, w", Seq(Seq(2, 3, 1), Seq(8, 7, 1)))
    view("c", "src, dst", Seq(Seq(1, 3), Seq(9, 7)))
    view("ok", "id", Seq(Seq(1)))
    view("wide", "id, w", Seq(Seq(1, 2)))
  }

  private val cycle = "JOIN b ON a.dst = b.src JOIN c ON b.dst = c.dst AND a.src = c.src"

  private val guarded = Seq(
    s"SELECT a.src FROM a JOIN ok ON a.src = ok.id $cycle WHERE 10 DIV a.w >= b.w",
    s"SELECT a.src FROM a $cycle LEFT SEMI JOIN ok ON a.src = ok.id WHERE 10 DIV a.w >= b.w",
    s"SELECT a.src FROM a $cycle WHERE a.src IN (SELECT id FROM ok) AND 10 DIV a.w >= b.w",
    s"SELECT a.src FROM a JOIN ok ON a.src = ok.id $cycle JOIN wide ON wide.id = ok.id " +
      "AND 10 DIV a.w >= wide.w")

  for (query <- guarded) test(query) {
    compareMultiway(sql(query))
    withConf(Mode -> "auto") {
      val hinted = sql(query.replaceFirst("SELECT", "SELECT /*+ MULTIWAY */"))
      assert(hinted.collect().toSeq == Seq(Row(1)))
      assert(multiway(hinted).nonEmpty)
    }
  }

  test("a condition that fails on a row of the query fails as in Spark alone") {
    val query = s"SELECT a.src FROM a $cycle WHERE 10 DIV a.w >= b.w"
    for (mode <- Seq("off", "force")) withConf(Mode -> mode) {
      assert(intercept[Exception](sql(query).collect()).getMessage.contains("DIVIDE_BY_ZERO"))
    }
  }

  test("where nothing else connects an input, it is joined by what may fail") {
    compareMultiway(sql(s"SELECT a.src, wide.w FROM a $cycle JOIN wide ON wide.w = a.w - 3"))
  }
}
