package io.colocate.hyperjoin.plan

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.execution.{QueryExecution, SortExec}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledHashJoinExec, SortMergeJoinExec}

import io.colocate.hyperjoin.OrdersAndItems
import io.colocate.testing.EveryThird

/** When a join of robust tables goes without a shuffle, when not, and what explain() says of it. */
class HyperJoinChoiceSuite extends OrdersAndItems with EveryThird {
  test("tables that are cut at the same values are joined without a shuffle, each file read once") {
    query(joined) { found =>
      val scans = scansOfGroups(found)
      assert(shuffles(found) == 0 && scans.length == 2)
      assert(scans.forall(scan => scan.groups.reads == scan.groups.files))
      // What was left out of the shuffle counts as saved.
      val text = explained(found)
      assert(text.contains("exchanges: 0 (Spark alone: 2)"), text)
      assert(text.contains("hyper-join: INNER join (items.l_key = orders.o_key) [HYPER_JOIN: "),
        text)
      assert(text.contains("C_HyJ is 1.00"), text)
      assert(text.contains("scan: "), text)
    }
  }

  test("an aggregate on the join key above needs no shuffle where no key is in two groups") {
    val onKey =
      "SELECT l_key, count(*), sum(l_price) FROM items JOIN orders ON l_key = o_key GROUP BY l_key"
    compare {
      read(orders).createOrReplaceTempView("orders")
      read(items).createOrReplaceTempView("items"); sql(onKey)
    }(found => assert(shuffles(found) == 0, planOf(found)))
    // Cut by another column, every group may hold every key.
    val other = create(read(items), "columns" -> "l_price", "maxLeafRows" -> "6000")
    compare {
      read(orders).createOrReplaceTempView("orders")
      read(other).createOrReplaceTempView("items"); sql(onKey)
    } { found =>
      assert(scansOfGroups(found).exists(_.together.isEmpty))
    }
  }

  test("an aggregate on the join key above is computed at once, rows without a match among them") {
    val few = create(read(items).where("l_key % 5 > 0"), "joinKey" -> "l_key", "joinCuts" -> orders,
      "maxLeafRows" -> "6000")
    compare {
      read(orders).createOrReplaceTempView("orders")
      read(few).createOrReplaceTempView("items")
      sql("SELECT o_key, sum(CAST(l_price AS DECIMAL(15, 2))), count(l_key) " +
        "FROM orders LEFT JOIN items ON l_key = o_key GROUP BY o_key")
    } { found =>
      val aggregates = collect(planOf(found)) { case aggregate: BaseAggregateExec => aggregate }
      assert(aggregates.length == 1 && shuffles(found) == 0, planOf(found))
    }
  }

  test("the mode off leaves Spark's plan, exactly; so do the switches of tables and of all") {
    for (switch <- Seq("spark.colocate.hyperjoin.mode" -> "off",
        "spark.colocate.layout.enabled" -> "false", "spark.colocate.enabled" -> "false"))
      query(joined, switch) { found =>
        assert(scansOfGroups(found).isEmpty && shuffles(found) == 2 && reports(found).isEmpty)
      }
  }

  test("a small side is broadcast, unless the mode is force") {
    val small = Seq("spark.sql.autoBroadcastJoinThreshold" -> "100m")
    query(joined, small: _*) { found =>
      assert(collect(planOf(found)) { case join: BroadcastHashJoinExec => join }.length == 1)
      assert(codes(found) == Seq("BROADCAST_JOIN"))
      assert(explained(found).contains("no hyper-join: INNER join"))
    }
    query(joined, small :+ ("spark.colocate.hyperjoin.mode" -> "force"): _*) { found =>
      assert(codes(found) == Seq("HYPER_JOIN") && shuffles(found) == 0)
    }
  }

  test("hints are respected") {
    for (hint <- Seq("MERGE", "SHUFFLE_HASH", "BROADCAST"))
      query(joined.replace("SELECT", s"SELECT /*+ $hint(orders) */"),
        "spark.colocate.hyperjoin.mode" -> "force") { found =>
        assert(scansOfGroups(found).isEmpty && codes(found) == Seq("JOIN_HINT"), hint)
      }
  }

  test("where little is left to shuffle, files are not read several times instead") {
    // Not cut at the same values, so some files would be read twice.
    val apart = create(read(items), "columns" -> "l_price, l_part", "maxLeafRows" -> "3000")
    read(apart).createOrReplaceTempView("apart")
    val filtered =
      "SELECT * FROM apart JOIN orders ON l_key = o_key WHERE l_part = 'part-1' AND o_day = 5"
    query(filtered) { found =>
      assert(codes(found) == Seq("ONE_SIDE_SHUFFLED") && shuffles(found) == 1)
      assert(scansOfGroups(found).forall(scan => scan.groups.reads == scan.groups.files))
    }
    query(filtered, "spark.colocate.hyperjoin.mode" -> "force") { found =>
      assert(codes(found) == Seq("HYPER_JOIN"))
    }
  }

  test("long texts count as what they are") {
    val long = create(read(items).selectExpr("l_key", "repeat(l_part, 100) AS l_part"),
      "joinKey" -> "l_key", "joinCuts" -> orders, "maxLeafRows" -> "6000")
    read(long).createOrReplaceTempView("long_items")
    val text = "SELECT l_part, o_name FROM long_items JOIN orders ON l_key = o_key"
    def side(query: String, left: Boolean): Array[Long] = {
      val plan = sql(query).queryExecution.asInstanceOf[QueryExecution].optimizedPlan
      val join = plan.collectFirst { case join: Join => join }.get
      TableSide.of(if (left) join.left else join.right).get.heldBytes
    }
    query(text) { found =>
      val parts = read(long).selectExpr("sum(length(l_part))").head().getLong(0)
      val held = side(text, left = true).sum
      assert(held > parts && held < 1.2 * parts)
      // What is computed of texts is as long as they are; numbers have a length of their own.
      val computed = text.replace("l_part,", "upper(l_part),")
      assert(side(computed, left = true).sum == held)
      assert(side("SELECT o_key FROM long_items JOIN orders ON l_key = o_key", left = true).sum <
        0.1 * held)
      assert(scansOfGroups(found).length == 2)
    }
  }

  /** The sides that are hashed, none for a join that sorts; the rows are Spark's. */
  private def built(text: String, groupBytes: String): Seq[BuildSide] = {
    var found = Seq.empty[BuildSide]
    query(text, "spark.colocate.hyperjoin.groupBytes" -> groupBytes,
      "spark.colocate.hyperjoin.mode" -> "force") { frame =>
      assert(codes(frame) == Seq("HYPER_JOIN"))
      found = collect(planOf(frame)) { case join: ShuffledHashJoinExec => join.buildSide }
      val expected = withConf("spark.colocate.hyperjoin.mode" -> "off") {
        val frame = sql(text)
        frame.collect()
        assert(scansOfGroups(frame).isEmpty)
        frame
      }
      same(expected, frame)
    }
    found
  }

  test(
    "the side is hashed of which filters leave least, also where it would not fit without them") {
    val filtered = s"$joined WHERE l_price < 2"
    assert(built(joined, "64m") == Seq(BuildRight) && built(filtered, "64m") == Seq(BuildLeft))
    assert(built(joined, "64k").isEmpty && built(filtered, "64k") == Seq(BuildLeft))
  }

  test("a side whose rows come through without a match is not hashed") {
    val outer = "SELECT * FROM orders LEFT JOIN items ON l_key = o_key"
    assert(built(joined, "200k") == Seq(BuildRight))
    assert(built(outer, "64m") == Seq(BuildRight) && built(outer, "200k").isEmpty)
    assert(built("SELECT * FROM orders FULL JOIN items ON l_key = o_key", "64m").isEmpty)
  }

  test("groups that are too large to be hashed are sorted") {
    query(joined, "spark.colocate.hyperjoin.groupBytes" -> "1k") { found =>
      assert(collect(planOf(found)) { case join: SortMergeJoinExec => join }.length == 1)
      assert(collect(planOf(found)) { case sort: SortExec => sort }.length == 2)
      assert(shuffles(found) == 0)
    }
    query(joined) { found =>
      assert(collect(planOf(found)) { case join: ShuffledHashJoinExec => join }.length == 1)
    }
  }

  test("a value that is not accepted is told with what is") {
    for ((key, value) <- Seq("mode" -> "on", "groupBytes" -> "many", "shuffleCost" -> "0.5")) {
      val error = failure(query(joined, s"spark.colocate.hyperjoin.$key" -> value)(_ => ()))
      assert(error.getMessage.contains(s"spark.colocate.hyperjoin.$key is '$value'; accepted: "))
    }
  }

  test("an answer that was given for a join does not go over to another type of join") {
    val late =
      create(read(orders).where("o_key >= 15000"), "joinKey" -> "o_key", "maxLeafRows" -> "2000")
    read(late).createOrReplaceTempView("late")
    query("SELECT * FROM items LEFT SEMI JOIN late ON l_key = o_key") { found =>
      val plan = found.queryExecution.asInstanceOf[QueryExecution].optimizedPlan
      val semi = plan.collectFirst { case join: Join => join }.get
      val anti = semi.copy(joinType = LeftAnti)
      anti.copyTagsFrom(semi)
      val planner = new HyperJoinPlanner(spark.sessionState.conf, slots = 2, hashable = 1L << 30)
      def read(join: Join): Int = planner(join).get.toOption.get.left match {
        case SideInput.Files(groups, _) => groups.files
        case other => fail(other.toString)
      }
      assert(read(semi) < read(anti) && read(anti) == dataFiles(items).length)
    }
  }

  test("random expressions of a side that is read twice are left to Spark") {
    val drawn = "SELECT count(*) FROM (SELECT l_key, rand(7) AS r FROM items) JOIN orders " +
      "ON l_key = o_key WHERE r < 2"
    query(drawn, "spark.colocate.hyperjoin.mode" -> "force") { found =>
      assert(found.collect().toSeq == Seq(Row(60000)))
      for (scan <- scansOfGroups(found) if scan.output.exists(_.name == "l_key"))
        assert(scan.groups.reads == scan.groups.files)
    }
  }

  test("why_not tells the reason, by capability") {
    read(orders).createOrReplaceTempView("orders")
    read(items).createOrReplaceTempView("items")
    val rows = sql(s"SELECT code, operator FROM colocate_why_not('$joined', 'hyperjoin')").collect()
    assert(rows.toSeq == Seq(Row("BROADCAST_JOIN", "Join")))
  }
}
