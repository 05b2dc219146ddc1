package io.colocate.changes.view

import scala.util.Random

import io.colocate.testing.Nightly

/**
 * Random histories of two tables, and after each commit a refresh: each view equals its query, computed by
 * Spark alone. Rows have duplicates, and NULL as keys and values.
 */
class ViewFuzzSuite extends ViewTestSession {

  private val queries = Seq("SELECT k, v + 1 AS w, s FROM r WHERE v > 2 OR v IS NULL",
    "SELECT k, v FROM r UNION ALL SELECT k, w FROM t WHERE w < 4",
    "SELECT r.k, r.v, t.w FROM r JOIN t ON r.k = t.k",
    "SELECT r.v, t.w FROM r CROSS JOIN t WHERE r.v < t.w",
    "SELECT a.k, b.v FROM r a JOIN r b ON a.v = b.k JOIN t ON b.v = t.k",
    "SELECT k, x FROM r LATERAL VIEW explode(sequence(0, v % 3)) AS x",
    "SELECT k, count(*) AS n, sum(v) AS total, min(s) AS least, avg(v) AS mean FROM r GROUP BY k",
    "SELECT k, count(DISTINCT v) AS n, max(d) AS most, sum(d) AS total FROM r GROUP BY k HAVING count(*) > 2",
    "SELECT DISTINCT k, v FROM r", "SELECT k FROM r INTERSECT SELECT k FROM t",
    "SELECT k, v FROM r EXCEPT SELECT k, w FROM t",
    "SELECT k, v FROM r INTERSECT ALL SELECT k, w FROM t",
    "SELECT k, v FROM r EXCEPT ALL SELECT k, w FROM t",
    "SELECT r.k, v, w FROM r LEFT JOIN t ON r.k = t.k",
    "SELECT r.k, v, w FROM r RIGHT JOIN t ON r.k = t.k AND v < w",
    "SELECT r.k AS a, t.k AS b, v, w FROM r FULL JOIN t ON r.k = t.k AND r.v = t.w",
    "SELECT * FROM r WHERE k IN (SELECT k FROM t)",
    "SELECT * FROM r WHERE EXISTS (SELECT 1 FROM t WHERE t.k = r.k AND t.w > r.v)",
    "SELECT * FROM r WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.k <=> r.k)",
    "SELECT k, v, v IN (SELECT w FROM t WHERE t.k = r.k) OR v = 1 AS x FROM r",
    "SELECT k, v FROM r WHERE v > (SELECT min(w) FROM t WHERE t.k = r.k)",
    "SELECT k, v, s, sum(v) OVER (PARTITION BY k) AS total, rank() OVER (PARTITION BY k ORDER BY v) AS place FROM r",
    "SELECT k, v, place FROM (SELECT k, v, rank() OVER (PARTITION BY k ORDER BY v) AS place FROM r) WHERE place < 3",
    "SELECT t.k, t.w, a.n FROM t JOIN (SELECT k, count(*) AS n FROM r GROUP BY k) a ON a.k = t.k",
    "SELECT n, count(*) AS groups FROM (SELECT k, count(*) AS n FROM r GROUP BY k) GROUP BY n",
    "SELECT k, s, count(*) AS n FROM r GROUP BY ROLLUP (k, s)",
    "WITH a AS (SELECT k, max(v) AS m FROM r GROUP BY k) SELECT a.k, m, w FROM a LEFT JOIN t ON a.m = t.w",
    "SELECT k, v FROM r WHERE v > (SELECT max(w) - 2 FROM t)",
    "SELECT t.w, count(r.v) AS n FROM t LEFT JOIN r ON t.k = r.k GROUP BY t.w")

  private def pick[T](random: Random, of: T*): T = of(random.nextInt(of.length))

  private def row(random: Random): String = {
    def number(most: Int) = if (random.nextInt(6) == 0) "NULL" else random.nextInt(most).toString
    val text = pick(random, "NULL", "'a'", "'A'", "'b'", "''")
    s"(${number(5)}, ${number(6)}, $text, ${pick(
        random, "NULL", "0.0D", "-0.0D", "1.5D", "double('NaN')")})"
  }

  private def commit(random: Random): Unit = {
    val rows = Seq.fill(1 + random.nextInt(4))(row(random)).mkString(", ")
    val table = pick(random, "r", "t")
    random.nextInt(8) match {
      case 0 => sql(s"CALL colocate.compact('$table')")
      case 1 =>
        write(spark.table(table).where("k > 1 OR k IS NULL"), pathOf(table), "overwrite")
      case 2 | 3 => replace(table, s"k = ${random.nextInt(5)}", rows)
      case _ => sql(s"INSERT INTO $table VALUES $rows")
    }
  }

  /** Some rows go, and those of the others that the predicate selects come. */
  private def replace(table: String, predicate: String, rows: String): Unit = {
    val columns = spark.table(table).columns.toSeq
    write(sql(s"SELECT * FROM VALUES $rows").toDF(columns: _*).where(predicate), pathOf(table),
      "overwrite", "replaceWhere" -> predicate)
  }

  private def pathOf(table: String): String =
    sql(s"SELECT path FROM colocate_table_path('$table')").head().getString(0)

  private def run(seed: Int, some: Seq[String]): Seq[String] = {
    val random = new Random(seed)
    val names = some.indices.map(i => s"view$i")
    var kinds = Seq.empty[String]
    withTables("r" +: "t" +: names: _*) {
      sql(
        "CREATE TABLE r (k INT, v INT, s STRING, d DOUBLE) USING colocate OPTIONS (maxLeafRows 6)")
      sql(
        "CREATE TABLE t (k INT, w INT, s STRING, d DOUBLE) USING colocate OPTIONS (maxLeafRows 6)")
      for (table <- Seq("r", "t"))
        sql(s"INSERT INTO $table VALUES ${Seq.fill(20)(row(random)).mkString(", ")}")
      for ((query, name) <- some.zip(names))
        sql(
          s"CREATE MATERIALIZED VIEW $name USING colocate TBLPROPERTIES (maxLeafRows = '8') AS $query")
      kinds = (1 to Nightly.count(4, 2)).flatMap { step =>
        (0 to random.nextInt(2)).foreach(_ => commit(random))
        for ((query, name) <- some.zip(names)) yield {
          val kind = sql(s"CALL colocate.refresh('$name')").head().getString(0)
          val differing = sql(s"CALL colocate.check_view('$name')").collect()
          assert(differing.isEmpty, s"seed $seed, step $step, $kind, $query: ${differing.mkString}")
          kind
        }
      }
    }
    kinds
  }

  test("each view equals its query after each commit, and most refreshes are incremental") {
    val kinds =
      for (seed <- 1 to Nightly.count(40, 1); some <- queries.grouped(7); kind <- run(seed, some))
        yield kind
    val (incremental, full) = (kinds.count(_ == "incremental"), kinds.count(_ == "full"))
    info(s"$incremental incremental, $full full")
    assert(incremental >= 8 * full && incremental > 0)
  }
}
