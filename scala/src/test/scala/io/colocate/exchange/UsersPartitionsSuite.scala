package io.colocate.exchange

import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.functions.col

import io.colocate.testing._

/** A number of partitions that the user asked for counts up to the next shuffle of Spark, no further. */
class UsersPartitionsSuite extends FourRuns {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private def grouped(left: DataFrame): DataFrame =
    left.join(spark.table("t2").select("a", "b").distinct(), Seq("a", "b")).groupBy("a").count()

  private def partitions(run: Executed): Int = run.plan.get.execute().getNumPartitions

  test("behind a join on more keys there are as many partitions as Spark makes") {
    val runs = four()(grouped(spark.table("t1").repartition(7, col("a"))))
    assertSomeRows(runs)
    assert(partitions(runs.ours) == partitions(runs.stock), planText(runs.ours))
    assert(partitions(runs.ours) != 7)
  }

  test("right below the group by they are the user's, and without a number all is free") {
    val direct = four()(spark.table("t1").repartition(7, col("a")).groupBy("a").count())
    assert(partitions(direct.ours) == 7 && partitions(direct.stock) == 7)
    val free = four()(grouped(spark.table("t1").repartition(col("a"))))
    assert(free.ours.shuffles < free.stock.shuffles, planText(free.ours))
  }
}
