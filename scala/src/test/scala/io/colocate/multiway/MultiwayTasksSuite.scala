package io.colocate.multiway

import java.util.concurrent.atomic.AtomicInteger

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.DurationInt

import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd, SparkListenerTaskStart}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec}

/** How multiway joins are run: what is broadcast, what drives, and how tasks end. */
class MultiwayTasksSuite extends MultiwaySession {

  test("the first rows of more than a number can count") {
    view("e", "src, dst", Seq.fill(2000)(Seq(1, 1)))
    val joins = (1 until 7).map(i => s"JOIN e e$i ON e${i - 1}.dst = e$i.src").mkString(" ")
    val ring = s"FROM e e0 $joins AND e6.dst = e0.src"
    withConf(Mode -> "force") {
      val first = sql(s"SELECT e0.src $ring LIMIT 5")
      assert(first.collect().length == 5 && multiway(first).nonEmpty)
      val all = intercept[Exception](sql(s"SELECT count(*) $ring").collect())
      assert(all.getMessage.contains("does not fit"), all)
    }
  }

  test("a relation that is joined several times is broadcast once") {
    view("e", "src, dst", randomEdges(300, 30))
    for (adaptive <- Seq("true", "false"))
      withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> adaptive) {
        val found = sql(s"SELECT count(*) $Triangle")
        found.collect()
        val plan = planOf(found)
        assert(collect(plan) { case b: BroadcastExchangeExec => b }.length == 1, plan)
        assert(collect(plan) { case r: ReusedExchangeExec => r }.length == 1, plan)
        assert(multiway(found).head.metrics("buildSize").value > 0)
      }
  }

  private val Chorded =
    "SELECT count(*) FROM e a JOIN e b ON a.src = b.src JOIN e c ON a.dst = c.src " +
      "AND b.dst = c.dst JOIN e d ON c.src = d.src JOIN e f ON c.dst = f.src AND d.dst = f.dst"

  test("the input below which most is counted apart drives, among those of like size") {
    view("e", "src, dst", for (i <- 0 until 400) yield Seq[Any](i * 7 % 29, i * 11 % 31))
    compare(sql(Chorded)) { found =>
      val Seq(join) = multiway(found)
      assert(join.depth == 3 && join.variables.head.toSet == Set(1, 2), planOf(found))
    }
    // It is not worth to broadcast a larger one.
    sql("SELECT * FROM e WHERE src < 4 LIMIT 20").createOrReplaceTempView("small")
    compare(sql(Chorded.replace("e c", "small c"))) { found =>
      assert(multiway(found).head.depth == 4, planOf(found))
    }
  }

  test("few rows drive where the largest input is joined twice, and not where it is joined once") {
    val (edges, few) = (scratch("many"), scratch("few"))
    sql("SELECT id % 3000 AS src, id * 7 % 3001 AS dst FROM range(300000)").write.parquet(edges)
    sql("SELECT id AS src, id * 7 % 3001 AS dst FROM range(0, 3, 1, 1)").write.parquet(few)
    spark.read.parquet(edges).createOrReplaceTempView("e")
    spark.read.parquet(few).createOrReplaceTempView("f")
    spark.read.parquet(edges).where("src < 2500").createOrReplaceTempView("other")
    def driver(c: String): String = withConf(Mode -> "force") {
      val query = sql(s"SELECT count(*) FROM f a JOIN e b ON a.dst = b.src JOIN $c c " +
        "ON b.dst = c.dst AND a.src = c.src")
      query.collect()
      multiway(query).head.children.head.toString
    }
    assert(driver("e").contains(few))
    // Both of the others would be broadcast for it.
    assert(driver("other").contains(edges))
  }

  test("a driver of few partitions is shared among tasks, if it can be read again") {
    val list = s"SELECT a.src, b.src, c.dst, a.n $Triangle"
    val rows = spark.range(0, 1200, 1, 1).selectExpr("id * id % 61 AS src", "id * 7 % 67 AS dst",
      "IF(id % 5 = 0, NULL, id) AS n")
    val path = scratch("edges")
    rows.write.parquet(path)
    val cores = spark.sparkContext.defaultParallelism
    assert(cores > 1)
    for (filter <- Seq("true", "n % 3 = 1")) {
      spark.read.parquet(path).where(filter).createOrReplaceTempView("e")
      compareMultiway(sql(list))
      compareMultiway(sql(s"SELECT count(*) $Triangle"))
      assert(tasks(list) == 2 * cores)
    }
    // One partition as well, but not the same rows each time, or not for nothing.
    for (few <- Seq(spark.read.parquet(path).where("rand(3) < 0.9"),
        spark.read.parquet(path).repartition(1), spark.read.parquet(path).coalesce(1))) {
      few.createOrReplaceTempView("e")
      compareMultiway(sql(list))
      assert(tasks(list) == 1, planOf(sql(list)))
    }
    spark.range(0, 4000, 1, cores).selectExpr("id % 61 AS src", "id * 7 % 67 AS dst", "id AS n")
      .createOrReplaceTempView("e")
    assert(tasks(list) == cores)
  }

  test("a task that is cancelled ends, however much its row of the driver stands for") {
    spark.range(90000).selectExpr("id DIV 300 AS src", "id % 300 AS dst")
      .createOrReplaceTempView("e")
    val names = (0 until 6).combinations(2).map { case Seq(i, j) => (i, j) }.toSeq
    // Six vertices of which two are fixed: 300^4 rows of one of the driver, a minute and more.
    val clique = names.map { case (i, j) => s"e e$i$j" }.mkString("SELECT sum(e45.dst) FROM ", ", ",
      " WHERE e01.src = 1 AND e01.dst = 2 AND ") + (0 until 6).flatMap { v =>
      val columns = names.collect {
        case (`v`, j) => s"e$v$j.src"
        case (i, `v`) => s"e$i$v.dst"
      }
      columns.tail.map(c => s"${columns.head} = $c")
    }.mkString(" AND ")
    endsWhenCancelled(clique)
  }

  test("so does one that gives many rows for one binding, each with its carried values") {
    spark.range(60000).selectExpr("id DIV 60000 AS src", "id DIV 60000 AS dst",
      "id AS n").createOrReplaceTempView("e")
    // 60000^2 rows for each row of the driver.
    endsWhenCancelled(s"SELECT sum(a.n + b.n + c.n) $Triangle")
  }

  private def endsWhenCancelled(text: String): Unit = {
    val context = spark.sparkContext
    val running = new AtomicInteger
    val counter = new SparkListener {
      override def onTaskStart(task: SparkListenerTaskStart): Unit = running.incrementAndGet()
      override def onTaskEnd(task: SparkListenerTaskEnd): Unit = running.decrementAndGet()
    }
    context.addSparkListener(counter)
    try
      withConf(Mode -> "force") {
        val query = sql(text)
        assert(multiway(query).nonEmpty, planOf(query))
        val failed = Future {
          context.setJobGroup("long", "is cancelled", interruptOnCancel = false)
          try intercept[Exception](query.collect())
          finally context.clearJobGroup()
        }(ExecutionContext.global)
        // No task that broadcasts an input takes so long.
        eventually(timeout(60.seconds)) {
          val stages = context.statusTracker.getActiveStageIds().toSeq
          Thread.sleep(2000)
          assert(stages.nonEmpty && stages == context.statusTracker.getActiveStageIds().toSeq)
        }
        assert(running.get > 0 && !failed.isCompleted)
        context.cancelJobGroup("long")
        assert(Await.result(failed, 20.seconds).getMessage.contains("cancelled"))
        eventually(timeout(20.seconds))(assert(running.get == 0))
      }
    finally context.removeSparkListener(counter)
  }

  test("LIMIT asks for no more rows than it returns") {
    spark.range(60 * 60).selectExpr("id div 60 AS src", "id % 60 AS dst").createOrReplaceTempView(
      "e")
    withConf(Mode -> "force", "spark.sql.adaptive.enabled" -> "false") {
      val found = sql(s"SELECT a.src, b.dst $Triangle LIMIT 5")
      assert(found.collect().length == 5)
      assert(multiway(found).head.metrics("numOutputRows").value < 60 * 60)
    }
  }
}
