package io.colocate.hyperjoin.plan

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.joins.{ShuffledHashJoinExec, SortMergeJoinExec}

import io.colocate.hyperjoin.HyperJoinSession
import io.colocate.hyperjoin.exec.TaskRanges
import io.colocate.testing.{EveryThird, Nightly}

/**
 * A robust table joined with what is none: one side is shuffled, into the ranges of the table, and the
 * rows are those of Spark alone.
 */
class OneStoredSuite extends HyperJoinSession with EveryThird {

  private val joins =
    Seq("INNER", "LEFT OUTER", "RIGHT OUTER", "FULL OUTER", "LEFT SEMI", "LEFT ANTI")

  private def stored(key: String): String =
    create(rows(key, 0, 3000, every = 3, seed = 1), "joinKey" -> "k", "maxLeafRows" -> "300")

  /** Rows that are no table: an aggregate by other columns, so not laid out by the key. */
  private def other(key: String): DataFrame =
    rows(key, 1000, 4000, every = 2, seed = 2).groupBy("k", "v").count()
      .selectExpr("k", "v + count - 1 AS v")

  private def join(joinType: String, condition: String, tableLeft: Boolean): DataFrame = {
    val (left, right) = if (tableLeft) ("stored", "other") else ("other", "stored")
    sql(s"SELECT * FROM $left a $joinType JOIN $right b ON $condition")
  }

  private def into(query: DataFrame): Seq[SparkPlan] = collectWithSubqueries(planOf(query)) {
    case shuffle: ShuffleExchangeLike if TaskRanges.isPartitioning(shuffle.outputPartitioning) =>
      shuffle
  }

  private val conditions =
    Seq("a.k = b.k", "a.k = b.k AND a.v < b.v", "a.k = b.k AND a.v + b.v > 90")

  test("every join gives Spark's rows, one side shuffled") {
    read(stored("n")).createOrReplaceTempView("stored")
    other("n").createOrReplaceTempView("other")
    val ways =
      for (tableLeft <- Seq(true, false); condition <- conditions)
        yield (tableLeft, condition)
    for ((joinType, i) <- joins.zipWithIndex; (tableLeft, condition) <- Nightly.half(ways, i))
      withClue(s"$joinType $condition, table left: $tableLeft\n") {
        compareOnce(i)(join(joinType, condition, tableLeft))(assertOneShuffled)
      }
  }

  for (((dataType, key), t) <- KeyTypes.toSeq.sortBy(_._1).zipWithIndex)
    test(s"joins on $dataType give Spark's rows, one side shuffled",
      Nightly.turn(t + 1, every = 3): _*) {
      read(stored(key)).createOrReplaceTempView("stored")
      other(key).createOrReplaceTempView("other")
      for ((joinType, i) <- Nightly.half(joins.zipWithIndex, t)) {
        val (tableLeft, condition) = ((i + t) / 2 % 2 == 0, conditions(i % conditions.length))
        withClue(s"$joinType $condition, table left: $tableLeft\n") {
          compareOnce(i / 2 + t)(join(joinType, condition, tableLeft))(assertOneShuffled)
        }
      }
    }

  private def assertOneShuffled(found: DataFrame): Unit = {
    assert(scansOfGroups(found).length == 1 && into(found).length == 1, planOf(found))
    assert(scansOfGroups(found).head.groups.length > 1, planOf(found))
    assert(codes(found) == Seq("ONE_SIDE_SHUFFLED"))
  }

  /** The table's key and the other side's, which holds values that the table's type has not. */
  private val unlike = Seq(("CAST(n AS INT)", "n * IF(n % 3 = 0, 4000000000, 1)"),
    ("n", "CAST(n AS INT)"),
    ("CAST(n AS DECIMAL(12, 2))", "CAST(n + IF(v % 2 = 0, 0, 0.0005) AS DECIMAL(16, 4))"),
    ("CAST(n AS DECIMAL(16, 4)) / 8", "CAST(n AS DECIMAL(9, 1))"),
    ("CAST(n / 8 AS FLOAT)", "IF(v = 9, DOUBLE('NaN'), n / 8 + IF(v % 2 = 0, 0, 1e-12D))"),
    ("IF(v = 9, DOUBLE('-Infinity'), n / 8)", "CAST(n / 8 AS FLOAT)"),
    ("CAST(n AS INT)", "IF(v = 9, DOUBLE('Infinity'), CAST(n AS DOUBLE))"))

  for (((mine, theirs), i) <- unlike.zipWithIndex)
    test(s"keys of unlike types, $mine and $theirs, are compared as the wider one",
      Nightly.turn(i, every = 3): _*) {
      read(stored(mine)).createOrReplaceTempView("stored")
      other(theirs).createOrReplaceTempView("other")
      // A full outer join shows every row that meets one too many, or one too few.
      for ((joinType, turn) <- Seq("FULL OUTER", joins(i % joins.length)).distinct.zipWithIndex)
        withClue(s"$joinType\n") {
          compareOnce(i + turn)(join(joinType, "a.k = b.k", tableLeft = i % 2 == 0)) { found =>
            assert(into(found).length == 1 && scansOfGroups(found).head.groups.length > 1,
              planOf(found))
          }
        }
    }

  test("a day that is compared as a time depends on the time zone, and is left to Spark") {
    read(stored("date_add(DATE '2000-01-01', CAST(n AS INT))")).createOrReplaceTempView("stored")
    other("timestamp_seconds(946684800 + n * 43200)").createOrReplaceTempView("other")
    compare(join("FULL OUTER", "a.k = b.k", tableLeft = true)) { found =>
      assert(into(found).isEmpty && codes(found) == Seq("UNRANGED_KEY"), planOf(found))
    }
  }

  private val few = Seq("spark.sql.shuffle.partitions" -> "4")

  private lazy val orders =
    create(spark.range(20000).selectExpr("id AS o_key", "id % 970 AS o_cust",
      "concat('order-', id) AS o_name"), "joinKey" -> "o_key", "maxLeafRows" -> "1500")

  private lazy val items =
    create(spark.range(60000).selectExpr("id DIV 3 AS l_key", "id % 50 AS l_price",
      "concat('part-', id % 700) AS l_part"), "joinKey" -> "l_key", "maxLeafRows" -> "4500")

  private lazy val customers =
    create(spark.range(970).selectExpr("id AS c_key", "concat('customer-', id) AS c_name",
      "id % 5 AS c_segment"), "joinKey" -> "c_key", "maxLeafRows" -> "100")

  private def query(text: String, settings: (String, String)*)(look: DataFrame => Unit): Unit = {
    read(orders).createOrReplaceTempView("orders")
    read(items).createOrReplaceTempView("items")
    read(customers).createOrReplaceTempView("customers")
    withConf(NoBroadcast ++ few ++ settings: _*) {
      val expected = withConf("spark.colocate.hyperjoin.mode" -> "off")(sql(text).collect().toSet)
      val found = sql(text)
      assert(found.collect().toSet == expected)
      look(found)
    }
  }

  private val three =
    "SELECT c_name, o_name, l_price FROM customers JOIN orders ON c_key = o_cust " +
      "JOIN items ON o_key = l_key WHERE c_segment = 1"

  test("of three tables only the result of the first two is shuffled") {
    for (adaptive <- Seq("true", "false"))
      query(three, "spark.sql.adaptive.enabled" -> adaptive) { found =>
        // The customers are so few that their files are rather read again and again.
        assert(codes(found) == Seq("ONE_SIDE_SHUFFLED", "HYPER_JOIN"), planOf(found))
        assert(shuffles(found) == 1 && scansOfGroups(found).length == 3, planOf(found))
        assert(explained(found).contains("exchanges: 1 (Spark alone: 4)"), explained(found))
      }
  }

  test("rows that are laid out by the key already are shuffled only if they are less") {
    def by(rest: String) = s"(SELECT l_key AS k, $rest AS r FROM items GROUP BY l_key)"
    query(s"SELECT o_key, r FROM orders JOIN ${by("max(l_part)")} ON o_key = k") { found =>
      assert(codes(found) == Seq("NOT_WORTH_SHUFFLING"), planOf(found))
    }
    query(s"SELECT orders.*, r FROM orders JOIN ${by("count(*)")} ON o_key = k") { found =>
      assert(codes(found) == Seq("ONE_SIDE_SHUFFLED"), planOf(found))
    }
  }

  test("buckets and cached rows that are laid out by the key stay where they are, others do not") {
    def other(name: String) = s"SELECT o_key, p FROM orders JOIN $name ON o_key = k"
    val rows = read(items).selectExpr("l_key AS k", "repeat(l_part, 9) AS p", "l_price")
    rows.write.bucketBy(4, "k").saveAsTable("by_key")
    rows.write.bucketBy(4, "l_price").saveAsTable("by_price")
    try {
      query(other("by_key"))(found => assert(codes(found) == Seq("NOT_WORTH_SHUFFLING")))
      query(other("by_price"))(found => assert(codes(found) == Seq("ONE_SIDE_SHUFFLED")))
    } finally Seq("by_key", "by_price").foreach(name => sql(s"DROP TABLE $name"))
    for ((column, code) <- Seq("k" -> "NOT_WORTH_SHUFFLING", "l_price" -> "ONE_SIDE_SHUFFLED")) {
      // Packed columns would be less than the table.
      val cached = withConf("spark.sql.inMemoryColumnarStorage.compressed" -> "false") {
        rows.repartition(4, rows(column)).cache()
      }
      try {
        cached.count()
        cached.createOrReplaceTempView("cached")
        query(other("cached"))(found => assert(codes(found) == Seq(code), planOf(found)))
      } finally cached.unpersist()
    }
  }

  test("a table whose files touch in the key is left to Spark, with the reason") {
    val other = create(read(orders), "columns" -> "o_name", "maxLeafRows" -> "1500")
    read(other).createOrReplaceTempView("other_orders")
    query(
      "SELECT o_key, l_price FROM other_orders JOIN (SELECT DISTINCT l_key, l_price FROM items) " +
        "ON o_key = l_key") { found =>
      assert(codes(found) == Seq("NOT_WORTH_SHUFFLING"), planOf(found))
      assert(explained(found).contains("into 1 ranges of"), explained(found))
    }
  }

  test("files of a range into which no row was shuffled are not read, where the join drops them") {
    val low = "(SELECT DISTINCT id % 2000 AS k, id FROM range(9000))"
    for ((join, fewer) <- Seq("JOIN" -> true, "RIGHT JOIN" -> true, "LEFT JOIN" -> false))
      query(s"SELECT o_name, id FROM orders $join $low ON o_key = k") { found =>
        val Seq(scan) = scansOfGroups(found)
        assert(scan.groups.length > 4 && (scan.groups.files < dataFiles(orders).length) == fewer)
        assert(codes(found) == Seq("ONE_SIDE_SHUFFLED"))
      }
  }

  test("rows that turn out to lie in few ranges are joined as Spark would, with the reason") {
    // All but one of the keys are in one of the ranges of the table.
    val skewed = "(SELECT DISTINCT IF(id < 5000, id % 50, 15000) AS k, id FROM range(10000))"
    val text = s"SELECT o_name, id FROM $skewed JOIN orders ON o_key = k"
    val low = Seq("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "1k",
      "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1k")
    query(text, low: _*)(found => assert(codes(found) == Seq("SKEWED_RANGES"), planOf(found)))
    query(text)(found => assert(codes(found) == Seq("ONE_SIDE_SHUFFLED"), planOf(found)))
  }

  test("the smaller side is hashed, once its size is known") {
    val small = "(SELECT DISTINCT id * 100 AS k, id FROM range(200))"
    for ((adaptive, right) <- Seq("true" -> true, "false" -> false))
      query(s"SELECT * FROM orders JOIN $small ON o_key = k",
        "spark.sql.adaptive.enabled" -> adaptive) { found =>
        val builds = collect(planOf(found)) { case join: ShuffledHashJoinExec => join.buildSide }
        assert(builds == Seq(if (right) BuildRight else BuildLeft), planOf(found))
      }
  }

  test("a small side that was shuffled is hashed in its ranges, and not broadcast any more") {
    val small = "(SELECT DISTINCT id * 100 AS k, id FROM range(200))"
    val joined = s"orders JOIN $small ON o_key = k"
    // With a broadcast the aggregate would need a shuffle of its own.
    for (text <- Seq(s"SELECT * FROM $joined",
        s"SELECT o_key, max(id) FROM $joined GROUP BY o_key"))
      query(text, "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10m") { found =>
        val builds = collect(planOf(found)) { case join: ShuffledHashJoinExec => join.buildSide }
        assert(builds == Seq(BuildRight), planOf(found))
        assert(codes(found) == Seq("ONE_SIDE_SHUFFLED"), planOf(found))
      }
  }

  test("a side that is known to be small is broadcast") {
    query("SELECT * FROM orders JOIN (SELECT id * 100 AS k, id FROM range(200)) ON o_key = k",
      "spark.sql.autoBroadcastJoinThreshold" -> "10m") { found =>
      assert(codes(found) == Seq("BROADCAST_JOIN"), planOf(found))
    }
  }

  test("a group that does not fit is sorted") {
    query(three, "spark.colocate.hyperjoin.groupBytes" -> "1k",
      "spark.sql.adaptive.enabled" -> "false") { found =>
      assert(collect(planOf(found)) { case join: SortMergeJoinExec => join }.length == 2)
    }
  }

  test("a hint of the user is respected, also when parts of the query have run") {
    query(three.replace("SELECT", "SELECT /*+ MERGE(items) */")) { found =>
      assert(codes(found).toSet == Set("JOIN_HINT", "HYPER_JOIN"), planOf(found))
      assert(into(found).isEmpty, planOf(found))
    }
  }

  test("a shuffle into the same ranges is done once") {
    val distinct = "(SELECT DISTINCT l_key, l_price FROM items)"
    query(s"SELECT o_name, l_price FROM orders JOIN $distinct ON o_key = l_key WHERE l_price < 10 " +
      s"UNION ALL SELECT o_name, 1 FROM orders JOIN $distinct ON o_key = l_key WHERE l_price < 10") {
      found => assert(codes(found).forall(_ == "ONE_SIDE_SHUFFLED"))
    }
  }

  test("a table without rows, one without keys, one of a single value, and no rows to join") {
    val none = create(rows("n", 0, 10, every = 1, seed = 1).where("v > 1000"))
    val nulls = create(spark.range(50).selectExpr("CAST(NULL AS BIGINT) AS k", "id AS v"))
    val single = create(spark.range(50).selectExpr("CAST(12 AS BIGINT) AS k", "id AS v"))
    val some = stored("n")
    for {
      (path, p) <- Seq(none, nulls, single, some).zipWithIndex
      (filter, f) <- Seq("true", "v < 0").zipWithIndex
      (joinType, i) <- Nightly.half(joins.zipWithIndex, p + f)
    } withClue(s"$joinType $filter\n") {
      read(path).createOrReplaceTempView("stored")
      other("n").where(filter).createOrReplaceTempView("other")
      compareOnce(i / 2 + p)(join(joinType, "a.k = b.k", tableLeft = true))(_ => ())
    }
  }
}
