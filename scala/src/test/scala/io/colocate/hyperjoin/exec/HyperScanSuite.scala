package io.colocate.hyperjoin.exec

import java.io.File

import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.FileScanRDD

import io.colocate.hyperjoin.OrdersAndItems
import io.colocate.testing.EveryOther

/** Which files a hyper-join reads, how often, and what its metrics say. */
class HyperScanSuite extends OrdersAndItems with EveryOther {

  test("metrics tell groups, reads, files and bytes") {
    query(joined) { found =>
      for (scan <- scansOfGroups(found)) {
        val metrics = scan.metrics.map { case (name, metric) => name -> metric.value }
        assert(metrics("groups") == scan.groups.length && metrics("reads") == scan.groups.reads)
        assert(metrics("files") == scan.groups.files && metrics("bytes") > 0)
        assert(timesRead(scan) == 1.0)
        val below = scan.child.asInstanceOf[FileSourceScanExec]
        assert(below.metrics("numOutputRows").value > 0)
      }
    }
  }

  test("a metric tells how often the other table is read") {
    val apart = create(read(items), "columns" -> "l_price", "maxLeafRows" -> "6000")
    compare {
      read(orders).createOrReplaceTempView("orders")
      read(apart).createOrReplaceTempView("items")
      sql(joined)
    } { found =>
      val Seq(grouped, probed) = scansOfGroups(found).map(timesRead).sorted
      assert(grouped == 1.0 && probed > 1.0)
      for (scan <- scansOfGroups(found)) {
        val folder = scan.child.asInstanceOf[FileSourceScanExec].relation.location.rootPaths.head
        def bytes(files: Seq[String]) = files.map(new File(folder.toUri.getPath, _).length).sum
        val read = scan.groups.paths.flatten
        assert(scan.metrics("c").value == 10 * bytes(read) / bytes(read.distinct))
      }
    }
  }

  test("files that Spark reads in several parts are read whole, and count as one") {
    withConf("spark.sql.files.maxPartitionBytes" -> "4k") {
      compare {
        read(orders).createOrReplaceTempView("orders")
        read(items).createOrReplaceTempView("items")
        sql(joined)
      } { found =>
        val scans = scansOfGroups(found)
        assert(scans.length == 2 && shuffles(found) == 0)
        for (scan <- scans) {
          assert(parts(scan) > scan.groups.files)
          assert(scan.metrics("reads").value == scan.groups.reads && timesRead(scan) == 1.0)
        }
      }
    }
  }

  private def parts(scan: ColocateHyperScan): Int = scan.child match {
    case below: FileSourceScanExec =>
      below.inputRDD.asInstanceOf[FileScanRDD].filePartitions.map(_.files.length).sum
  }

  /** As Spark's UI shows it, in tenths. */
  private def timesRead(scan: ColocateHyperScan): Double = scan.metrics("c").value / 10.0

  test("it reads by rows and by batches, with code generation and without, cached and limited") {
    for (off <- Seq("spark.sql.parquet.enableVectorizedReader", "spark.sql.codegen.wholeStage"))
      withConf(off -> "false") {
        compare {
          read(orders).createOrReplaceTempView("orders")
          read(items).createOrReplaceTempView("items")
          sql(s"$joined WHERE o_day < 30")
        }(found => assert(shuffles(found) == 0 && scansOfGroups(found).length == 2, off))
      }
    query(joined) { found =>
      assert(found.limit(7).collect().length == 7)
      val cached = found.cache()
      try assert(cached.count() == 60000)
      finally cached.unpersist()
    }
  }

  test("files that hold no key of the other table are not read") {
    query(s"$joined WHERE o_key < 5000") { found =>
      val read = scansOfGroups(found).map(_.groups.files)
      assert(read.forall(_ < dataFiles(items).length * 2 / 3), read)
    }
    // A filter on another column of the other table leaves out files of this one, by their keys.
    val late =
      create(read(orders).where("o_key >= 15000"), "joinKey" -> "o_key", "maxLeafRows" -> "2000")
    read(late).createOrReplaceTempView("late")
    query("SELECT * FROM items JOIN late ON l_key = o_key") { found =>
      val Seq(l, _) = scansOfGroups(found).map(_.groups.files)
      assert(l < dataFiles(items).length / 2)
      assert(found.collect().length == 15000)
    }
  }

  test("tables that have no key in common are joined by a task without files") {
    val other = create(spark.range(50000, 51000).selectExpr("id AS o_key"), "joinKey" -> "o_key")
    read(other).createOrReplaceTempView("other")
    query("SELECT * FROM items JOIN other ON l_key = other.o_key",
      "spark.colocate.hyperjoin.mode" -> "force") { found =>
      assert(found.collect().isEmpty && shuffles(found) == 0)
      assert(scansOfGroups(found).map(_.groups.files) == Seq(0, 0), planOf(found))
    }
  }

  test("files that a broadcast leaves out at run time are in no group either") {
    spark.range(20000).where("id % 20000 = 11").selectExpr("id AS d_key", "1 AS d_flag")
      .write.mode("overwrite").parquet(scratch("days"))
    spark.read.parquet(scratch("days")).createOrReplaceTempView("days")
    read(orders).createOrReplaceTempView("orders")
    read(items).createOrReplaceTempView("items")
    val text = "SELECT /*+ BROADCAST(days) */ * FROM items JOIN orders ON l_key = o_key " +
      "JOIN days ON l_key = d_key WHERE d_flag = 1"
    withConf("spark.colocate.hyperjoin.mode" -> "force",
      "spark.sql.autoBroadcastJoinThreshold" -> "1m") {
      val found = sql(text)
      assert(found.collect().length == 3)
      val scans = scansOfGroups(found)
      assert(scans.length == 2, planOf(found))
      assert(scans.exists(scan => scan.metrics("files").value < scan.groups.files), planOf(found))
    }
  }
}
