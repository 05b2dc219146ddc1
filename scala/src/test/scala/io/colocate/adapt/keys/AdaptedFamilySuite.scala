package io.colocate.adapt.keys

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.ExplainMode

/** Tables that share the cuts of their join key, of which one or both follow filters. */
class AdaptedFamilySuite extends JoinedTables {

  private lazy val days: String =
    create(spark.range(20000).selectExpr("id AS o_key", "id * 31 % 97 AS o_day",
      "id * 17 % 89 AS o_kind"), "joinKey" -> "o_key", "joinLevels" -> "3", "maxLeafRows" -> "500")

  private lazy val lines: String =
    create(spark.range(60000).selectExpr("id DIV 3 AS l_key", "id * 7919 % 3000 AS l_part",
      "id * 13 % 50 AS l_price"), "joinKey" -> "l_key", "joinCuts" -> days, "maxLeafRows" -> "1500")

  private def join: DataFrame = {
    read(days).createOrReplaceTempView("days")
    read(lines).createOrReplaceTempView("lines")
    sql("SELECT * FROM lines JOIN days ON l_key = o_key")
  }

  /** How often the join reads a byte of its other side, as explain() says it, for each join. */
  private def readsOf(query: => DataFrame): Seq[String] = withConf(NoBroadcast: _*) {
    val found = query
    found.collect()
    val text = found.queryExecution.explainString(ExplainMode.fromString("simple"))
    "C_HyJ is ([0-9.]+)".r.findAllMatchIn(text).map(_.group(1)).toSeq.distinct
  }

  private def cutsOf(path: String, key: String): Seq[Any] =
    log(path).snapshot().trees.head.cuts.filter(_.column == key).map(_.value)

  test("filters adapt either table of a family, and their join stays as it was") {
    val plain = withConf("spark.colocate.enabled" -> "false")(join.collect().toSet)
    def holds(): Unit = {
      assert(readsOf(join) == Seq("1.00") && shuffles(join) == 0)
      assert(join.collect().toSet == plain)
    }
    holds()
    for ((path, key, column, values) <- Seq((lines, "l_key", "l_part", 3000),
        (days, "o_key", "o_kind", 89))) {
      val cuts = cutsOf(path, key)
      assert(cuts.length >= 7)
      for (i <- 0 until 20) {
        val low = values / 20 * i
        read(path).where(s"$column >= $low AND $column < ${low + values / 20}").collect()
      }
      val report = adapted(path)
      assert(report.version.nonEmpty && report.joinKey.isEmpty, report)
      assert(report.readShareAfter < report.readShare && cutsOf(path, key) == cuts)
      holds()
    }
  }
}
