package io.colocate.changes.view

import org.apache.spark.sql.Row

/** Maintained views: how they are made, refreshed, checked and refused. */
class MaintainedViewSuite extends ViewTestSession {

  private def withShop(body: => Unit): Unit =
    withTables("orders", "cities", "revenue") {
      sql("CREATE TABLE orders (id INT, city STRING, price INT) USING colocate")
      sql(
        "INSERT INTO orders VALUES (1, 'Rome', 3), (2, 'Rome', 4), (3, 'Oslo', NULL), (4, NULL, 1)")
      sql("CREATE TABLE cities (city STRING, land STRING) USING colocate")
      sql("INSERT INTO cities VALUES ('Rome', 'Italy'), ('Oslo', 'Norway')")
      body
    }

  private def view(query: String, properties: String = ""): Unit =
    sql(s"CREATE MATERIALIZED VIEW revenue USING colocate $properties AS $query")

  private def refresh(policy: String = "NULL"): Row =
    sql(s"CALL colocate.refresh('revenue', $policy)").head()

  private def equal(query: String): Unit = {
    same(sql("SELECT * FROM revenue"), sql(query))
    assert(sql("CALL colocate.check_view('revenue')").collect().isEmpty)
  }

  private val ByCity = "SELECT city, count(*) AS n, sum(price) AS total FROM orders GROUP BY city"

  test("a view by keys follows appends, and rewrites the changed groups alone") {
    withShop {
      view(ByCity)
      equal(ByCity)
      sql("INSERT INTO orders VALUES (5, 'Oslo', 7), (6, 'Riga', 2)")
      val done = refresh()
      assert(done.getString(0) == "incremental")
      assert(done.getLong(2) == 3, "Oslo went and came, Riga came")
      equal(ByCity)
    }
  }

  test("a refresh without a change commits nothing") {
    withShop {
      view(ByCity)
      val before = refresh()
      assert(before.getString(0) == "none" && before.getLong(1) == 0)
    }
  }

  test("rows are not changed by hand, and a compaction is none") {
    withShop {
      view(ByCity)
      assert(intercept[Exception](sql("INSERT INTO revenue VALUES ('Bonn', 1, 1)"))
          .getMessage.contains("COLOCATE_VIEW_NOT_WRITABLE"))
      assert(intercept[Exception](sql("TRUNCATE TABLE revenue"))
          .getMessage.contains("COLOCATE_VIEW_NOT_WRITABLE"))
      sql("CALL colocate.compact('revenue')")
      equal(ByCity)
    }
  }

  test(
    "a query that cannot be maintained is refused with its reason, and kept with the policy auto") {
    withShop {
      val all = "SELECT count(*) AS n FROM orders"
      val error = intercept[Exception](view(all))
      assert(error.getMessage.contains("GLOBAL_AGGREGATE"), error.getMessage)
      assert(!spark.catalog.tableExists("revenue"))
      view(all, "TBLPROPERTIES ('refreshPolicy' = 'auto')")
      sql("INSERT INTO orders VALUES (9, 'Rome', 1)")
      val done = refresh()
      assert(done.getString(0) == "full" && done.getString(3).contains("GLOBAL_AGGREGATE"))
      equal(all)
    }
  }

  test("strict refuses what must be recomputed, and the view stays") {
    withShop {
      view(ByCity, "TBLPROPERTIES ('refreshPolicy' = 'incremental_strict')")
      sql("DROP TABLE orders")
      sql("CREATE TABLE orders (id INT, city STRING, price INT) USING colocate")
      assert(intercept[Exception](refresh()).getMessage.contains("SOURCE_HISTORY_GONE"))
      assert(sql("SELECT * FROM revenue").count() == 3)
      assert(refresh("'full'").getString(0) == "full")
      equal(ByCity)
    }
  }

  test("other formats keep Spark's own message") {
    withShop {
      val error =
        intercept[Exception](sql(s"CREATE MATERIALIZED VIEW other USING parquet AS $ByCity"))
      assert(!error.getMessage.contains("COLOCATE"), error.getMessage)
    }
  }

  test("EXPLAIN tells how each operator will be maintained, and makes nothing") {
    withShop {
      val text = sql(s"EXPLAIN CREATE MATERIALIZED VIEW revenue USING colocate AS $ByCity").head()
        .getString(0)
      assert(text.contains("Aggregate: the rows of keys that changed, in place of the view's"),
        text)
      assert(!spark.catalog.tableExists("revenue"))
    }
  }
}
