package io.colocate.exchange.partitioning

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.col

import io.colocate.testing.{Executed, FourRuns, TestConf, TestTables}

/** A number of partitions that the user asked for counts up to the next shuffle of Spark, no further. */
class UsersRepartitionSuite extends FourRuns {

  private val Users = 11
  private val Usual = 8 // spark.sql.shuffle.partitions of these tests

  override protected def sessionConf: Map[String, String] = TestConf.eightPartitions

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def t1 = spark.table("t1")
  private def t2 = spark.table("t2").select("a", "b", "c")

  private def grouped(left: DataFrame, right: DataFrame = t2): DataFrame =
    left.join(right, Seq("a", "b")).groupBy("a").count()

  private def partitions(run: Executed): Int = run.plan.get.execute().getNumPartitions

  /** @param saved how many shuffles fewer than Spark's */
  private def compare(asked: Int, saved: Int)(query: => DataFrame): Unit = {
    val runs = four()(query)
    assertSomeRows(runs)
    assert(runs.stockPlan.execute().getNumPartitions == asked, runs.stockPlan)
    for ((stock, ours) <- runs.pairs) {
      assert(partitions(ours) == partitions(stock), planText(ours))
      assert(stock.shuffles - ours.shuffles == saved, s"${planText(stock)}\n${planText(ours)}")
    }
  }

  test("right below a join on more keys a shuffle takes its place, as in Spark") {
    compare(Usual, saved = 1)(grouped(t1.repartition(Users, col("a"))))
    compare(Usual, saved = 1)(grouped(t1.repartition(Users, col("a")), t2.repartition(5, col("b"))))
  }

  test("by other columns it is done too, as in Spark") {
    compare(Usual, saved = 1)(grouped(t1.repartition(Users)))
    compare(Usual, saved = 1)(grouped(t1.repartition(Users, col("c"))))
  }

  test("a repartition that serves the join stays") {
    compare(Users, saved = 0)(t1.repartition(Users, col("a"), col("b")).join(t2, Seq("a", "b")))
  }

  test("its number is not told on beyond a shuffle of Spark") {
    val joined = t1.repartition(Users, col("a")).join(t2.withColumnRenamed("b", "e"), Seq("a"))
    compare(Users, saved = 0)(joined.groupBy("a").count())
    compare(Usual, saved = 0)(t1.repartition(Users, col("a")).where("a = b").groupBy("b").count())
  }

  test("right below a group by it is the user's, and without a number all is free") {
    compare(Users, saved = 0)(t1.repartition(Users, col("a")).groupBy("a").count())
    compare(Usual, saved = 1)(grouped(t1.repartition(col("a"))))
  }
}
