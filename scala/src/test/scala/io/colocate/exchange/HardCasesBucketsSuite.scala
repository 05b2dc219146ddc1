package io.colocate.exchange

import org.apache.spark.sql.execution.FileSourceScanExec

import io.colocate.report.ExchangeReasons
import io.colocate.testing.{EveryOther, Executed, FourRuns, Reports, TestTables}

/**
 * Hard case 12 of the research (1-cohash.md, section 7): bucketed tables that agree, disagree in their
 * number, in the order of their columns, or are read in part.
 *
 * The research also names a table bucketed by Hive's hash. There is no case of it, as such buckets
 * never become a partitioning: Hive's own scan states no partitioning, and where Spark reads a Hive table
 * by its file source it drops the buckets. What the file source calls buckets was written by Spark's
 * own Murmur3 hash.
 *
 * {{{
 *   build/sbt "scala/testOnly *HardCasesBucketsSuite"
 * }}}
 */
class HardCasesBucketsSuite extends FourRuns with EveryOther {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    TestTables.createBucketed(spark)
  }

  private def join(left: String, right: String, on: String = "x.a = y.a AND x.b = y.b"): String =
    s"SELECT x.a, x.b, x.d, y.d AS dy FROM $left x JOIN $right y ON $on"

  private def grouped(left: String, right: String): String =
    s"SELECT a, count(*) AS n, max(dy) AS d FROM (${join(left, right)}) GROUP BY a"

  test("12: buckets of one number, joined on more keys, then grouped") {
    assertShuffles(fourSql(join("b8_1", "b8_2")), stock = 2, ours = 0)
    assertShuffles(fourSql(grouped("b8_1", "b8_2")), stock = 3, ours = 0)
  }

  test("12: a union of buckets, joined on more keys") {
    val union = "(SELECT * FROM b8_1 UNION ALL SELECT * FROM b8_2)"
    assertShuffles(fourSql(join(union, "b8_1")), stock = 2, ours = 0)
    // Those of one branch lie by the other's second key.
    assertSomeRows(fourSql(join("(SELECT * FROM b8_1 UNION ALL SELECT b, a, d FROM b8_2)", "b8_1")))
  }

  test("12: the report says that the rows lay in buckets before") {
    val runs = fourSql(grouped("b8_1", "b8_2"))
    for (run <- runs.own)
      assert(Reports.reasons(run)(ExchangeReasons.FixedLayout), planText(run))
  }

  test("12: 8 buckets against 4 and against 7") {
    for (right <- Seq("b4_2", "b7_2")) {
      assertSomeRows(fourSql(join("b8_1", right, "x.a = y.a")))
      assertSomeRows(fourSql(join("b8_1", right)))
      assertSomeRows(fourSql(grouped("b8_1", right)))
    }
  }

  test("12: buckets by (a, b) against buckets by (b, a)") {
    assertSomeRows(fourSql(join("b8_ab", "b8_ba")))
    assertSomeRows(fourSql(grouped("b8_ab", "b8_ba")))
  }

  test("12: Spark coalesces the buckets of one side") {
    val coalesce = "spark.sql.bucketing.coalesceBucketsInJoin.enabled" -> "true"
    for (query <- Seq(join("b8_1", "b4_2", "x.a = y.a"), join("b8_1", "b4_2"),
        grouped("b8_1", "b4_2")))
      assertSomeRows(fourSql(query, coalesce))
  }

  test("12: pruned buckets") {
    for (one <- Seq("a = 3", "a IN (3, 5)")) {
      val left = s"(SELECT * FROM b8_1 WHERE $one)"
      val runs = fourSql(grouped(left, "b8_2"))
      assertSomeRows(fourSql(join(left, "b8_2")))
      for (run <- runs.own) assert(prunes(run), planText(run))
    }
  }

  private def prunes(run: Executed): Boolean =
    nodes(run) { case scan: FileSourceScanExec => scan }
      .exists(_.optionalBucketSet.exists(buckets => buckets.cardinality() < buckets.capacity))

  test("12: more shuffle partitions than buckets, and fewer") {
    for (n <- Seq(2, 7, 50)) {
      val partitions = "spark.sql.shuffle.partitions" -> n.toString
      assertSomeRows(fourSql(grouped("b8_1", "b8_2"), partitions))
      assertSomeRows(fourSql(grouped("b8_1", "t2"), partitions))
    }
  }

  test("12: bucketing switched off") {
    val off = "spark.sql.sources.bucketing.enabled" -> "false"
    assertShuffles(fourSql(grouped("b8_1", "b8_2"), off), stock = 3, ours = 2)
  }

  test("12: outer joins of buckets") {
    for (kind <- Seq("LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI")) {
      val columns = if (kind.startsWith("LEFT ")) "x.a, x.d" else "x.a, y.d"
      assertSomeRows(
        fourSql(s"SELECT $columns FROM b8_1 x $kind JOIN b8_2 y ON x.a = y.a AND x.b = y.b"))
      assertSomeRows(fourSql(s"SELECT x.a, count(*) AS n FROM b8_1 x $kind JOIN t3 y " +
          "ON x.a = y.a AND x.b = y.b GROUP BY x.a"))
    }
  }
}
