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

  test("a clause or a property that a view cannot honour is refused") {
    withShop {
      for ((clause, said) <- Seq("TBLPROPERTIES ('replicas' = '2')" -> "The property replicas",
          "TBLPROPERTIES ('compression' = 'zstd')" -> "The property compression",
          "TBLPROPERTIES ('replaceWhere' = 'n = 1')" -> "The property replaceWhere",
          "PARTITIONED BY (city)" -> "PARTITIONED BY",
          "TBLPROPERTIES ('refreshPolicy' = 'daily')" -> "The policy is 'daily'")) {
        val error = intercept[Exception](view(ByCity, clause))
        assert(error.getMessage.contains(said), error.getMessage)
      }
      assert(!spark.catalog.tableExists("revenue"))
      view(ByCity, "TBLPROPERTIES ('joinKey' = 'city', 'team' = 'us')")
      assert(sql("SHOW TBLPROPERTIES revenue").collect().exists(_.getString(0) == "team"))
    }
  }

  test("a source that is gone fails the refresh, and the view stays") {
    withShop {
      view(ByCity)
      sql("DROP TABLE orders")
      assert(intercept[Exception](refresh()).getMessage.contains("TABLE_OR_VIEW_NOT_FOUND"))
      assert(sql("SELECT * FROM revenue").count() == 3)
    }
  }

  test("the value of a subquery is a constant until it changes") {
    withShop {
      val dear = "SELECT id FROM orders WHERE price >= (SELECT max(price) FROM orders)"
      view(dear)
      sql("INSERT INTO orders VALUES (5, 'Rome', 4), (6, 'Rome', 2)")
      assert(refresh().getString(0) == "incremental")
      equal(dear)
      sql("INSERT INTO orders VALUES (7, 'Rome', 9)")
      val done = refresh()
      assert(done.getString(0) == "full" && done.getString(3).contains("whose value has changed"))
      equal(dear)
    }
  }

  test("keys that are equal and have other bits are one group") {
    withTables("readings") {
      withShop {
        sql("CREATE TABLE readings (d DOUBLE, s STRING COLLATE UTF8_LCASE) USING colocate")
        sql("INSERT INTO readings VALUES (0.0D, 'a'), (double('NaN'), 'b'), (NULL, 'c')")
        val byNumber = "SELECT d, count(*) AS n FROM readings GROUP BY d"
        view(byNumber)
        sql("INSERT INTO readings VALUES (-0.0D, 'A'), (double('NaN'), 'B'), (NULL, 'C')")
        assert(refresh().getString(0) == "incremental")
        equal(byNumber)
        sql("DROP TABLE revenue")
        val byText = "SELECT s, count(*) AS n FROM readings GROUP BY s"
        view(byText)
        sql("INSERT INTO readings VALUES (1.0D, 'A')")
        assert(refresh().getString(0) == "incremental")
        same(sql("SELECT lower(s), n FROM revenue"), sql(s"SELECT lower(s), n FROM ($byText)"))
      }
    }
  }

  test("a view on a view follows it") {
    withTables("lands") {
      withShop {
        view(ByCity)
        sql("CREATE MATERIALIZED VIEW lands USING colocate AS SELECT c.land, r.n FROM revenue r " +
          "JOIN cities c ON r.city = c.city")
        sql("INSERT INTO orders VALUES (5, 'Rome', 7)")
        refresh()
        assert(sql("CALL colocate.refresh('lands')").head().getString(0) == "incremental")
        assert(sql("CALL colocate.check_view('lands')").collect().isEmpty)
        assert(sql("SELECT n FROM lands WHERE land = 'Italy'").head().getLong(0) == 3)
      }
    }
  }

  test("files of another format are read while they stay the same, and not followed") {
    withTables("prices") {
      withShop {
        sql("CREATE TABLE prices USING parquet AS SELECT 'Rome' AS city, 2 AS factor")
        view("SELECT o.id, p.factor FROM orders o JOIN prices p ON o.city = p.city")
        sql("INSERT INTO orders VALUES (5, 'Rome', 7)")
        assert(refresh().getString(0) == "incremental")
        sql("INSERT INTO prices VALUES ('Oslo', 3)")
        val done = refresh()
        assert(done.getString(0) == "full" && done.getString(3).contains("SOURCE_WITHOUT_CHANGES"))
        equal("SELECT o.id, p.factor FROM orders o JOIN prices p ON o.city = p.city")
      }
    }
  }

  test("the query keeps the settings of the session that made it") {
    withShop {
      sql("SET spark.sql.ansi.enabled = false")
      try view("SELECT id, CAST(city AS INT) AS number FROM orders")
      finally sql("RESET spark.sql.ansi.enabled")
      sql("INSERT INTO orders VALUES (5, 'Riga', 7)")
      assert(refresh().getString(0) == "incremental")
      assert(sql("SELECT * FROM revenue WHERE number IS NULL").count() == 5)
    }
  }

  test("two refreshes at once apply a change once") {
    withShop {
      view(ByCity)
      sql("INSERT INTO orders VALUES (5, 'Rome', 7)")
      val pool = java.util.concurrent.Executors.newFixedThreadPool(2)
      val both = (1 to 2).map(_ => pool.submit(() => refresh().getString(0)))
      assert(both.map(_.get).sorted == Seq("incremental", "none"))
      pool.shutdown()
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
