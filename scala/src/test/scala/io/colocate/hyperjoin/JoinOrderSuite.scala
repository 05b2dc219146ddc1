package io.colocate.hyperjoin

import org.apache.spark.sql.DataFrame

import io.colocate.report.{Findings, HyperJoinReasons}
import io.colocate.testing.EveryThird

/** Robust tables that join without a shuffle do so first ([[JoinOrder]]), as in query 8 of TPC-H. */
class JoinOrderSuite extends HyperJoinSession with EveryThird {

  private lazy val items = create(spark.range(60000).selectExpr("id DIV 3 AS l_order",
    "id * 31 % 2000 AS l_part", "id % 970 AS l_cust", "concat('item-', id) AS l_name"),
    "joinKey" -> "l_part", "columns" -> "l_cust", "maxLeafRows" -> "4500")

  private lazy val parts = create(spark.range(2000).selectExpr("id AS p_key", "id % 50 AS p_type",
    "concat('part-', id) AS p_name"), "joinKey" -> "p_key", "maxLeafRows" -> "150")

  private lazy val orders = create(spark.range(20000).selectExpr("id AS o_key",
    "IF(id % 100 = 0, NULL, id * 7 % 970) AS o_cust", "id % 7 AS o_year"), "joinKey" -> "o_cust",
    "columns" -> "o_year", "maxLeafRows" -> "1500")

  private lazy val customers =
    create(spark.range(970).selectExpr("id AS c_key", "id % 5 AS c_nation"), "joinKey" -> "c_key",
      "maxLeafRows" -> "70")

  private val joined = "items JOIN parts ON l_part = p_key JOIN orders ON l_order = o_key"

  private val chain = s"$joined JOIN customers ON o_cust = c_key"

  private def query(text: String, settings: (String, String)*)(look: DataFrame => Unit): Unit = {
    read(items).createOrReplaceTempView("items")
    read(parts).createOrReplaceTempView("parts")
    read(orders).createOrReplaceTempView("orders")
    read(customers).createOrReplaceTempView("customers")
    for (adaptive <- Seq("true", "false"))
      withConf((NoBroadcast :+ ("spark.sql.adaptive.enabled" -> adaptive)) ++ settings: _*) {
        val expected = withConf("spark.colocate.enabled" -> "false") {
          val frame = sql(text)
          frame.collect()
          frame
        }
        val found = sql(text)
        same(expected, found)
        look(found)
      }
  }

  private def isReordered(query: DataFrame): Boolean = explained(query).contains("[JOINED_FIRST: ")

  test("a chain of four tables, cut for its first and its last join, is shuffled in its middle") {
    for (select <- Seq("*", "l_name, c_nation", "c_nation, o_year, count(p_name)")) {
      val group = if (select.contains("count")) " GROUP BY c_nation, o_year" else ""
      query(s"SELECT $select FROM $chain$group") { found =>
        assert(isReordered(found), explained(found))
        assert(codes(found).count(_ == "HYPER_JOIN") == 2)
        val first =
          reports(found).find(_.reasons.exists(_.code == HyperJoinReasons.JoinedFirst)).get
        assert(first.taken && first.text.contains("c_key"))
        assert(scansOfGroups(found).length == 4)
        assert(if (group.isEmpty) shuffles(found) == 2 else shuffles(found) <= 3, planOf(found))
      }
    }
  }

  test("whichever side the tables stand on") {
    for (text <- Seq(
        "customers JOIN (orders JOIN (items JOIN parts ON l_part = p_key) ON l_order = o_key) ON o_cust = c_key",
        "(orders JOIN (items JOIN parts ON l_part = p_key) ON l_order = o_key) JOIN customers ON c_key = o_cust"))
      query(s"SELECT l_name, p_name, o_year, c_nation FROM $text") { found =>
        assert(isReordered(found) && shuffles(found) == 2, explained(found))
      }
  }

  test("within a subquery") {
    query(s"SELECT * FROM customers WHERE c_key < (SELECT max(c_key) / 2 FROM $chain)") { found =>
      assert(isReordered(found), explained(found))
    }
  }

  private def assertInOrder(text: String, settings: (String, String)*): Unit =
    query(text, settings: _*)(found => assert(!isReordered(found), explained(found)))

  test("the order of the query stays where it matters, or where it was asked for") {
    assertInOrder(s"SELECT * FROM $joined LEFT JOIN customers ON o_cust = c_key")
    assertInOrder("SELECT * FROM orders LEFT JOIN (items JOIN parts ON l_part = p_key) " +
      "ON l_order = o_key JOIN customers ON o_cust = c_key")
    assertInOrder(s"SELECT /*+ MERGE(customers) */ * FROM $chain")
    assertInOrder(s"SELECT * FROM $chain AND l_cust = c_key")
    assertInOrder(s"SELECT * FROM $joined JOIN customers ON o_cust = c_key + 1")
  }

  test("and where it is cheaper: a filter leaves few rows, a table is broadcast") {
    assertInOrder(s"SELECT * FROM $chain WHERE l_name = 'item-5' AND p_name = 'part-155'")
    assertInOrder(s"SELECT * FROM $chain", "spark.sql.autoBroadcastJoinThreshold" -> "1MB")
  }

  test("it can be switched off") {
    assertInOrder(s"SELECT * FROM $chain", "spark.colocate.hyperjoin.mode" -> "off")
  }

  test("an error in it is told beside what becomes of the joins") {
    query(s"SELECT * FROM $chain") { found =>
      val plan = found.queryExecution.optimizedPlan
      JoinOrder(spark).failed(plan, new IllegalStateException("broken"))
      val physical = spark.sessionState.planner.plan(plan).next()
      val said = physical.collect { case node => node }.flatMap(_.logicalLink)
        .flatMap(Findings.of(_)).flatMap(_.reasons)
      assert(said.exists(_.toString.startsWith("INTERNAL_ERROR: join-order failed: ")), said)
    }
  }
}
