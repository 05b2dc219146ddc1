package io.colocate.hyperjoin

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.optimizer.BuildRight
import org.apache.spark.sql.catalyst.plans.{FullOuter, LeftAnti, RightOuter}
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec

import io.colocate.hyperjoin.exec.ColocateHyperScan
import io.colocate.testing.{EveryThird, Nightly}

/**
 * Join types against NULL keys, duplicates, groups without rows, types of the key and conditions
 * beside the key: the rows of Spark alone, without a shuffle where that is valid, and with one where
 * it is not.
 */
class JoinMatrixSuite extends HyperJoinSession with EveryThird {

  private val valid = Seq("INNER", "LEFT OUTER", "RIGHT OUTER", "LEFT SEMI", "LEFT ANTI")

  private val conditions =
    Seq("a.k = b.k", "a.k = b.k AND a.v < b.v", "a.k = b.k AND a.v + b.v > 90")

  private def table(rows: DataFrame, files: Int, options: (String, String)*): String = {
    val count = rows.count()
    val layout = Seq("joinKey" -> "k", "maxLeafRows" -> (count / files).max(1).toString)
    create(rows, layout ++ options: _*)
  }

  /** Cut at medians, where no other table is: a file overlaps files of several groups of another table. */
  private def askew(rows: DataFrame, files: Int): String = create(rows, "columns" -> "k",
    "construction" -> "published", "maxLeafRows" -> (rows.count() / files).max(1).toString)

  private def join(left: String, right: String, joinType: String, condition: String): DataFrame = {
    read(left).createOrReplaceTempView("a")
    read(right).createOrReplaceTempView("b")
    sql(s"SELECT * FROM a $joinType JOIN b ON $condition")
  }

  test("every valid join gives Spark's rows without a shuffle") {
    val (left, right) = overlapping("n")
    val ways = for (joinType <- valid; condition <- conditions) yield (joinType, condition)
    for (((joinType, condition), turn) <- Nightly.half(ways.zipWithIndex, 0))
      withClue(s"$joinType $condition\n") {
        compareOnce(turn / 2)(join(left, right, joinType, condition))(assertGroups)
      }
  }

  for (((dataType, key), t) <- KeyTypes.toSeq.sortBy(_._1).zipWithIndex)
    test(s"valid joins on $dataType give Spark's rows without a shuffle",
      Nightly.turn(t, every = 3): _*) {
      val (left, right) = overlapping(key)
      for ((joinType, i) <- Nightly.half(valid.zipWithIndex, t)) {
        val condition = conditions(i % conditions.length)
        withClue(s"$joinType $condition\n") {
          compareOnce(i / 2 + t)(join(left, right, joinType, condition))(assertGroups)
        }
      }
    }

  private def overlapping(key: String): (String, String) =
    (table(rows(key, 0, 3000, every = 3, seed = 1), files = 9),
      askew(rows(key, 1000, 4000, every = 2, seed = 2), files = 14))

  private def assertGroups(found: DataFrame): Unit = {
    assert(scansOfGroups(found).length == 2 && shuffles(found) == 0, planOf(found))
    assert(codes(found) == Seq("HYPER_JOIN"))
    val groups = scansOfGroups(found).map(_.groups)
    assert(groups.exists(side => side.reads > side.files), "no file is in two groups")
  }

  test("a full outer join keeps its shuffles where files would be in two groups") {
    val left = table(rows("n", 0, 3000, every = 3, seed = 1), files = 9)
    val right =
      create(rows("n", 1000, 4000, every = 2, seed = 2), "columns" -> "v", "maxLeafRows" -> "300")
    withConf(NoBroadcast :+ ("spark.colocate.hyperjoin.shuffleCost" -> "1"): _*) {
      val found = join(left, right, "FULL OUTER", "a.k = b.k")
      found.collect()
      assert(scansOfGroups(found).isEmpty && shuffles(found) == 2)
      assert(codes(found) == Seq("OVERLAP_TOO_WIDE"))
    }
    // Few groups are correct, be they slow.
    compare(join(left, right, "FULL OUTER", "a.k = b.k")) { found =>
      assert(scansOfGroups(found).forall(_.groups.length <= 4))
    }
  }

  test("a full outer join of tables that are cut at the same values needs no shuffle") {
    val left = table(rows("n", 0, 3000, every = 3, seed = 1), files = 8)
    val right = create(rows("n", 1000, 4000, every = 2, seed = 2), "joinKey" -> "k",
      "joinCuts" -> left, "maxLeafRows" -> "400")
    for (condition <- conditions) compare(join(left, right, "FULL OUTER", condition)) { found =>
      assert(shuffles(found) == 0 && scansOfGroups(found).forall(_.groups.length > 1),
        planOf(found))
    }
  }

  /** Of tables whose medians lie apart; the groups of their full outer join. */
  private def groupsApart(dataType: String): Seq[Int] = {
    val left = table(rows(KeyTypes(dataType), 0, 6000, every = 3, seed = 1), files = 8)
    val right = table(rows(KeyTypes(dataType), 300, 6000, every = 2, seed = 2), files = 12)
    var groups = Seq.empty[Int]
    compare(join(left, right, "FULL OUTER", "a.k = b.k")) { found =>
      assert(shuffles(found) == 0, planOf(found))
      groups ++= scansOfGroups(found).map(_.groups.length)
    }
    // Two scans, adaptive execution on and off.
    assert(groups.length == 4)
    groups
  }

  for ((dataType, t) <- Seq("INT", "BIGINT", "DECIMAL(12, 2)", "DATE", "TIMESTAMP",
      "STRING").zipWithIndex)
    test(
      s"tables that were written apart have cuts on $dataType in common: a full outer join of groups",
      Nightly.turn(t, every = 3): _*)(assert(groupsApart(dataType).forall(_ > 1)))

  test(
    "tables that were written apart have no cuts on floating-point numbers in common: one group") {
    assert(groupsApart("DOUBLE").forall(_ == 1))
  }

  test("tables of one cut registry stay aligned when the first is overwritten") {
    def options(more: (String, String)*) =
      more ++ Seq("joinKey" -> "k", "maxLeafRows" -> "400", "cutRegistry" -> "joined")
    val left = create(rows("n", 0, 3000, every = 3, seed = 1), options(): _*)
    val right = create(rows("n", 1000, 4000, every = 2, seed = 2), options(): _*)
    write(rows("n", 500, 5000, every = 2, seed = 3), left, "overwrite")
    compare(join(left, right, "FULL OUTER", "a.k = b.k")) { found =>
      assert(shuffles(found) == 0 && scansOfGroups(found).forall(_.groups.length > 1),
        planOf(found))
    }
  }

  test("the joins that are said to be invalid really are: they return rows too many") {
    val left = table(rows("n", 0, 3000, every = 3, seed = 1), files = 9)
    val right = askew(rows("n", 0, 3000, every = 2, seed = 2), files = 14)
    def count(joinType: String): Long =
      withConf(NoBroadcast :+ ("spark.colocate.hyperjoin.mode" -> "off"): _*) {
        join(left, right, joinType, "a.k = b.k").count()
      }
    withConf(NoBroadcast :+ ("spark.sql.adaptive.enabled" -> "false"): _*) {
      // Inner joins read files of the right side, or of the left one, several times.
      val plan = planOf(join(left, right, "INNER", "a.k = b.k"))
      val Seq(l, r) = plan.collect { case scan: ColocateHyperScan => scan.groups }
      assert(l.reads == l.files && r.reads > r.files)
      for ((joinType, name) <- Seq(RightOuter -> "RIGHT OUTER", FullOuter -> "FULL OUTER")) {
        val forced = plan.transform { case join: ShuffledHashJoinExec =>
          join.copy(joinType = joinType)
        }
        assert(forced.executeCollect().length > count(name), name)
      }
      val anti = plan.collectFirst { case join: ShuffledHashJoinExec => join }.map { join =>
        join.copy(leftKeys = join.rightKeys, rightKeys = join.leftKeys, joinType = LeftAnti,
          buildSide = BuildRight, left = join.right, right = join.left)
      }
      val swapped = withConf("spark.colocate.hyperjoin.mode" -> "off") {
        join(right, left, "LEFT ANTI", "a.k = b.k").count()
      }
      assert(anti.get.executeCollect().length > swapped)
    }
  }

  test("a table without rows, one without keys, one of a single value") {
    val some = table(rows("n", 0, 2000, every = 3, seed = 1), files = 6)
    val none = create(rows("n", 0, 10, every = 1, seed = 1).where("v > 1000"))
    val nulls = create(spark.range(50).selectExpr("CAST(NULL AS BIGINT) AS k", "id AS v"))
    val single = create(spark.range(50).selectExpr("CAST(12 AS BIGINT) AS k", "id AS v"))
    val ways = for {
      other <- Seq(none, nulls, single)
      (left, right) <- Seq(some -> other, other -> some)
      joinType <- valid :+ "FULL OUTER"
    } yield (left, right, joinType)
    for (((left, right, joinType), turn) <- Nightly.part(ways.zipWithIndex, every = 5))
      withClue(s"$joinType\n") {
        compareOnce(turn)(join(left, right, joinType, "a.k = b.k"))(_ => ())
      }
  }

  test("EXISTS beside another condition, NOT EXISTS, and NOT IN, which is left to Spark") {
    val left = table(rows("n", 0, 3000, every = 3, seed = 1), files = 9)
    val right = table(rows("n", 1000, 4000, every = 2, seed = 2), files = 14)
    read(left).createOrReplaceTempView("a")
    read(right).createOrReplaceTempView("b")
    compare(sql("SELECT * FROM a WHERE v > 90 OR EXISTS (SELECT 1 FROM b WHERE a.k = b.k)")) {
      found => assert(shuffles(found) == 0 && scansOfGroups(found).length == 2)
    }
    compare(
      sql("SELECT * FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE a.k = b.k AND b.v > 50)")) {
      found => assert(shuffles(found) == 0 && scansOfGroups(found).length == 2)
    }
    compare(sql("SELECT * FROM a WHERE k NOT IN (SELECT k FROM b WHERE v > 98)")) { found =>
      assert(scansOfGroups(found).isEmpty)
    }
  }

  test("keys of unlike width are compared as the wider one, several keys together") {
    val left = create(spark.range(3000).selectExpr("CAST(id AS INT) AS k",
      "CAST(id % 7 AS INT) AS l", "id AS v"), "joinKey" -> "k, l", "maxLeafRows" -> "300")
    val right = create(spark.range(3000).selectExpr("id AS k", "id % 5 AS l", "id AS v"),
      "joinKey" -> "k, l", "maxLeafRows" -> "300")
    for (joinType <- valid)
      compare(join(left, right, joinType, "a.k = b.k AND a.l = b.l")) { found =>
        assert(shuffles(found) == 0 && scansOfGroups(found).length == 2, planOf(found))
      }
  }

  test("a table joined with itself, and with filters that prune each side") {
    val path = table(rows("n", 0, 3000, every = 1, seed = 1), files = 10)
    compare(join(path, path, "INNER", "a.k = b.k AND a.v < b.v")) { found =>
      assert(shuffles(found) == 0 && scansOfGroups(found).length == 2)
    }
    compare(join(path, path, "LEFT OUTER", "a.k = b.k").where("a.k BETWEEN 500 AND 900")) { found =>
      assert(shuffles(found) == 0 && scansOfGroups(found).map(_.groups.files).max < 10)
    }
  }

  test("texts with a collation and NULL-safe keys are left to Spark, with the reason") {
    val left = table(rows("n", 0, 900, every = 3, seed = 1), files = 5)
    read(left).createOrReplaceTempView("a")
    def declined(condition: String): Seq[String] = withConf(NoBroadcast: _*) {
      val found = sql(s"SELECT * FROM a JOIN a b ON $condition")
      found.collect()
      assert(scansOfGroups(found).isEmpty)
      codes(found)
    }
    assert(declined("a.k <=> b.k") == Seq("UNRANGED_KEY"))
    assert(declined("a.k + 1 = b.k + 2") == Seq("UNRANGED_KEY"))
    val texts = create(spark.range(500).selectExpr("CAST(id AS STRING) COLLATE UTF8_LCASE AS k"))
    read(texts).createOrReplaceTempView("a")
    assert(declined("a.k = b.k") == Seq("UNRANGED_KEY"))
  }
}
