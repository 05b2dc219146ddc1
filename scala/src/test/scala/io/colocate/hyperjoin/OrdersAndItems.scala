package io.colocate.hyperjoin

import org.apache.spark.sql.DataFrame

/** Two tables that are cut by the key that they are joined by. */
private[hyperjoin] trait OrdersAndItems extends HyperJoinSession {

  protected lazy val orders =
    create(spark.range(20000).selectExpr("id AS o_key", "id % 97 AS o_day",
      "concat('customer-', id % 500) AS o_name"), "joinKey" -> "o_key", "maxLeafRows" -> "2000")

  protected lazy val items = create(spark.range(60000).selectExpr("id DIV 3 AS l_key",
    "id % 50 AS l_price", "concat('part-', id % 700) AS l_part"), "joinKey" -> "l_key",
    "joinCuts" -> orders, "maxLeafRows" -> "6000")

  protected val joined = "SELECT * FROM items JOIN orders ON l_key = o_key"

  protected def query(text: String, settings: (String, String)*)(look: DataFrame => Unit): Unit = {
    read(orders).createOrReplaceTempView("orders")
    read(items).createOrReplaceTempView("items")
    withConf(NoBroadcast ++ settings: _*) {
      val found = sql(text)
      found.collect()
      look(found)
    }
  }
}
