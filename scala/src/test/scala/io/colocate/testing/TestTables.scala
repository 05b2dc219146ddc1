package io.colocate.testing

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types._

/**
 * The tables t1 to t4 of the research's catalogue: int a, b, c, d, bigint k, string s, double x, with
 * NULLs in every column, duplicate rows, one frequent value of a, NaN and both zeros in x. The rows
 * are the same on every machine. A table has three files, read as three partitions.
 */
object TestTables {

  val schema: StructType =
    StructType.fromDDL("a INT, b INT, c INT, d INT, k BIGINT, s STRING, x DOUBLE")

  private val sizes = Seq("t1" -> 200, "t2" -> 140, "t3" -> 100, "t4" -> 60)

  private val doubles = Seq(0.0, -0.0, Double.NaN, 1.5, -2.25, 1e300, Double.NegativeInfinity)

  /** All tables that a file of the catalogue may read. */
  def createAll(spark: SparkSession): Unit =
    Seq(create _, createBucketed _, createDeclared _, createWide _).foreach(_(spark))

  def create(spark: SparkSession): Unit = sizes.foreach { case (name, rows) =>
    frame(spark, rows, seed = name.hashCode).write.mode("overwrite").saveAsTable(name)
  }

  /**
   * Bucketed copies, one file per bucket: b8_1 to b8_3 (t1 to t3 by a into 8), b8_ab and b8_ba (t1 and
   * t2 by both, in either order), b4_2 and b7_2 (t2 by a into 4 and 7).
   */
  def createBucketed(spark: SparkSession): Unit = Seq(("b8_1", "t1", 8, Seq("a")),
    ("b8_2", "t2", 8, Seq("a")), ("b8_3", "t3", 8, Seq("a")), ("b8_ab", "t1", 8, Seq("a", "b")),
    ("b8_ba", "t2", 8, Seq("b", "a")), ("b4_2", "t2", 4, Seq("a")),
    ("b7_2", "t2", 7, Seq("a"))).foreach { case (name, from, buckets, by) =>
    spark
      .table(from)
      .coalesce(1)
      .write
      .mode("overwrite")
      .bucketBy(buckets, by.head, by.tail: _*)
      .saveAsTable(name)
  }

  /**
   * Tables with d, a, b and k of which something is declared: key_d has the key d; unique_d has each d
   * once, and many rows without; in dep_d d determines a, and the group of NULL has an a too; in doubt_d it
   * does not, and its declaration is not to be relied on.
   */
  def createDeclared(spark: SparkSession): Unit = {
    val groups = "SELECT d, max(a) AS a, max(b) AS b, max(k) AS k FROM t2 GROUP BY d"
    val known = s"SELECT * FROM ($groups) WHERE d IS NOT NULL"
    Seq(("key_d", """{"key": ["d"], "rely": true}""", known),
      ("unique_d", """{"unique": ["d"], "rely": true}""",
      s"$known UNION ALL SELECT CAST(NULL AS INT), a, b, k FROM t3"),
      ("dep_d", """{"columns": ["d"], "determine": ["a"], "rely": true}""",
      s"$groups UNION ALL $groups"),
      ("doubt_d", """{"columns": ["d"], "determine": ["a"]}""", "SELECT d, a, b, k FROM t2"))
      .foreach { case (name, declared, rows) =>
        spark.sql(s"CREATE TABLE $name USING parquet " +
          s"TBLPROPERTIES ('colocate.dependencies' = '[$declared]') AS $rows")
      }
  }

  /**
   * Tables for decisions about bytes: wide1 and wide2 have many rows and a different a in nearly each,
   * narrow has few rows. Their statistics claim a thousand times as many rows, or else the start of a
   * stage would outweigh all bytes.
   */
  def createWide(spark: SparkSession): Unit =
    Seq("wide1" -> 4000, "wide2" -> 3000, "narrow" -> 50).foreach { case (name, rows) =>
      spark
        .range(0, rows, 1, 2)
        .selectExpr("cast(id * 7 % 5003 as int) a", "cast(id % 11 as int) b",
          "cast(id % 101 as int) d", "concat('text of row ', id) s")
        .write
        .mode("overwrite")
        .saveAsTable(name)
      spark.sql(s"ANALYZE TABLE $name COMPUTE STATISTICS FOR ALL COLUMNS")
      claimMore(spark, name, 1000)
    }

  private def claimMore(spark: SparkSession, name: String, times: Int): Unit = {
    val catalog = spark.sessionState.catalog
    val table = catalog.getTableMetadata(TableIdentifier(name))
    val stats = table.stats.get
    val columns = stats.colStats.map { case (column, stat) =>
      val distinct = stat.distinctCount.map(d => if (column == "a") d * times else d)
      column -> stat.copy(distinctCount = distinct)
    }
    catalog.alterTableStats(table.identifier,
      Some(stats.copy(sizeInBytes = stats.sizeInBytes * times,
        rowCount = stats.rowCount.map(_ * times), colStats = columns)))
  }

  private def frame(spark: SparkSession, rows: Int, seed: Int): DataFrame = {
    val random = new Random(seed)
    val fresh = Seq.fill(rows * 9 / 10)(row(random))
    val again = Seq.fill(rows - fresh.size)(fresh(random.nextInt(fresh.size)))
    spark.createDataFrame(spark.sparkContext.parallelize(fresh ++ again, 3), schema)
  }

  private def row(r: Random): Row = {
    def orNull(v: => Any): Any = if (r.nextInt(20) == 0) null else v
    Row(orNull(if (r.nextInt(8) == 0) 1 else r.nextInt(20)), orNull(r.nextInt(9)),
      orNull(r.nextInt(5)), orNull(r.nextInt(100)), orNull(r.nextInt(20).toLong),
      orNull((if (r.nextBoolean()) "K" else "k") + r.nextInt(8)),
      orNull(doubles(r.nextInt(doubles.size))))
  }
}
