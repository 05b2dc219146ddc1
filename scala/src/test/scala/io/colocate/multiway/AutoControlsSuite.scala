package io.colocate.multiway

import org.apache.spark.sql.execution.SparkPlan

/** Mode auto leaves the plans of queries alone in which nothing grows, to the last operator. */
class AutoControlsSuite extends MultiwaySession {

  /** In two databases, of which one has statistics, and the other nothing but files. */
  private val databases = Seq("analysed", "plain")

  private def table(name: String, rows: Int, columns: String*): Unit = {
    for (database <- databases)
      sql(s"CREATE TABLE $database.$name USING parquet AS SELECT ${columns.mkString(", ")} " +
        s"FROM range($rows)")
    sql(s"ANALYZE TABLE analysed.$name COMPUTE STATISTICS FOR ALL COLUMNS")
  }

  private def inBoth(name: String)(body: => Unit): Unit = for (database <- databases)
    test(s"$name: $database") {
      sql(s"USE $database")
      body
    }

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    databases.foreach(database => sql(s"CREATE DATABASE $database"))
    table("region", 5, "id AS r_regionkey", "concat('region ', id) AS r_name")
    table("nation", 25, "id AS n_nationkey", "id % 5 AS n_regionkey",
      "concat('nation ', id) AS n_name")
    table("supplier", 100, "id AS s_suppkey", "id * 7 % 25 AS s_nationkey")
    table("customer", 1500, "id AS c_custkey", "id * 11 % 25 AS c_nationkey")
    table("orders", 15000, "id AS o_orderkey", "id * 13 % 1500 AS o_custkey",
      "date_add(DATE '1994-01-01', CAST(id % 700 AS INT)) AS o_orderdate")
    table("lineitem", 60000, "id DIV 4 AS l_orderkey", "id * 17 % 100 AS l_suppkey",
      "id % 100 AS l_extendedprice", "0.01 * (id % 10) AS l_discount")
    table("edges", 5000, "id * id % 101 AS src", "id * 7 % 103 AS dst")
  }

  private def plan(query: String, mode: String): SparkPlan =
    withConf(Mode -> mode, "spark.sql.adaptive.enabled" -> "false")(
      planOf(sql(query)).canonicalized)

  private def untouched(query: String): Boolean = plan(query, "auto") == plan(query, "off")

  /** TPC-H Q5, whose joins form a cycle: a customer and a supplier are of one nation. */
  private val q5 =
    """SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue
      |FROM customer, orders, lineitem, supplier, nation, region
      |WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey
      |  AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey
      |  AND r_name = 'region 3' AND o_orderdate >= DATE '1994-01-01'
      |  AND o_orderdate < DATE '1994-01-01' + INTERVAL '1' YEAR
      |GROUP BY n_name ORDER BY revenue DESC""".stripMargin

  inBoth("TPC-H Q5, a cycle of keys") {
    assert(untouched(q5))
    withConf(Mode -> "auto")(assert(codes(sql(q5)) == Seq("UNKNOWN_DEGREES")))
  }

  inBoth("paths, stars, trees and one join") {
    for (query <- Seq("SELECT count(*) FROM edges a JOIN edges b ON a.dst = b.src",
        "SELECT count(*) FROM edges a JOIN edges b ON a.dst = b.src JOIN edges c ON b.dst = c.src",
        "SELECT count(*) FROM edges a JOIN edges b ON a.src = b.src JOIN edges c ON a.src = c.src",
        """SELECT n_name, count(*) FROM orders JOIN customer ON o_custkey = c_custkey
          JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
          GROUP BY n_name"""))
      withConf(Mode -> "auto") {
        assert(untouched(query) && codes(sql(query)).isEmpty, query)
      }
  }

  inBoth("a cycle whose joins of two grow is joined at once") {
    val query = "SELECT count(*) FROM edges a JOIN edges b ON a.dst = b.src " +
      "JOIN edges c ON b.dst = c.dst AND a.src = c.src"
    assert(!untouched(query))
    withConf(Mode -> "auto")(assert(codes(sql(query)) == Seq("MULTIWAY_JOIN")))
  }
}
