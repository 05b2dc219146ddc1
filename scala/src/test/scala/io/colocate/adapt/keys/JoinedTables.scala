package io.colocate.adapt.keys

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.{Dataset, SparkSession}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

import io.colocate.adapt.{Adapt, AdaptOptions, AdaptReport}
import io.colocate.tables.queries.AskedQueries
import io.colocate.tables.sql.RacedTables

/** Items, which are joined by their order or by their part. */
private[keys] trait JoinedTables extends RacedTables {

  protected val NoBroadcast: Seq[(String, String)] =
    Seq("spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1")

  /** Without regard to what older versions need. */
  protected val eager: AdaptOptions = AdaptOptions(budget = 1, writeCost = Some(2), space = 100)

  protected lazy val orders: String =
    create(spark.range(4000).selectExpr("id AS o_key", "id % 97 AS o_day"), "joinKey" -> "o_key",
      "maxLeafRows" -> "500")

  protected lazy val parts: String =
    create(spark.range(3000).selectExpr("id AS p_key", "concat('part-', id % 31) AS p_name"),
      "joinKey" -> "p_key", "maxLeafRows" -> "400")

  protected def someItems(count: Int, from: Int = 0): DataFrame = spark.range(from, from + count)
    .selectExpr("id DIV 3 % 4000 AS l_key", "(id * 7919) % 3000 AS l_part", "id % 50 AS l_price",
      "IF(id % 7 = 0, NULL, concat('item-', id % 70)) AS l_name")

  protected def items(options: (String, String)*): String =
    create(someItems(12000), Seq("joinKey" -> "l_key", "maxLeafRows" -> "1500") ++ options: _*)

  protected def byOrder(path: String, low: Int = 0): DataFrame =
    joined(path, low, orders, "o_key", "l_key")

  protected def byPart(path: String, low: Int = 0): DataFrame =
    joined(path, low, parts, "p_key", "l_part")

  /** All rows; each low makes another query of it. */
  private def joined(path: String, low: Int, other: String, theirs: String, ours: String) = {
    read(path).createOrReplaceTempView("items")
    read(other).createOrReplaceTempView("other")
    sql(s"SELECT * FROM items JOIN other ON $ours = $theirs WHERE l_price >= ${-low}")
  }

  protected def ask(path: String, orders: Int = 0, parts: Int = 0): Unit =
    withConf(NoBroadcast: _*) {
      (1 to orders).foreach(i => byOrder(path, i).collect())
      (1 to parts).foreach(i => byPart(path, i).collect())
    }

  protected def adapt(log: io.colocate.tables.commit.TableLog): AdaptReport =
    new Adapt(spark.asInstanceOf[SparkSession], log, eager)()

  protected def adapted(path: String, options: AdaptOptions = eager): AdaptReport =
    inQuery(new Adapt(spark.asInstanceOf[SparkSession], log(path), options)())

  /** A join that would read files many times is shuffled, though these tables are small. */
  private val ReadOnce = "spark.colocate.hyperjoin.shuffleCost" -> "1.5"

  protected def shuffles(query: => DataFrame): Int = withConf(NoBroadcast :+ ReadOnce: _*) {
    val found = query
    found.collect()
    collectWithSubqueries(found.asInstanceOf[Dataset[_]].queryExecution.executedPlan) {
      case shuffle: ShuffleExchangeLike => shuffle
    }.length
  }

  /** Joins by either key, and filters, give the rows that the same give for a plain file. */
  protected def holds(expected: DataFrame, path: String): Unit = {
    val plain = fresh()
    expected.write.parquet(plain)
    val rows = spark.read.parquet(plain)
    same(rows, read(path))
    for ((other, theirs, ours) <- Seq((orders, "o_key", "l_key"), (parts, "p_key", "l_part"))) {
      val key = spark.read.format("colocate").load(other)
      def joined(items: DataFrame) = items.join(key, items(ours) === key(theirs))
      withConf(NoBroadcast: _*)(same(joined(rows), joined(read(path))))
    }
    Seq("l_key < 300", "l_part = 77", "l_price = 7 AND l_part > 2000", "l_name IS NULL").foreach(
      filter => same(rows.where(filter), read(path).where(filter)))
  }

  protected def known(path: String) =
    AskedQueries.of(log(path).path, spark.sessionState.newHadoopConf()).queries

  protected def keyOf(path: String): Seq[String] =
    OtherKeys.spelled(spark.asInstanceOf[SparkSession], log(path).snapshot())
}
