package io.colocate.tables.snapshot

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{Metadata => _, _}
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.tables.commit.LogFixture
import io.colocate.tables.format.{ColumnStats, FileAdded}
import io.colocate.tables.format.Isolation.{Append, Layout}
import io.colocate.testing.Nightly

class LiveFilesSuite extends AnyFunSuite with LogFixture {

  private val columns: Seq[(String, DataType, Int => Any)] = Seq(("b", BooleanType, _ % 2 == 0),
    ("i1", ByteType, _.toByte), ("i2", ShortType, _.toShort), ("i4", IntegerType, i => -i),
    ("i8", LongType, i => Long.MinValue + i), ("f4", FloatType, i => if (i == 0) -0.0f else i / 3f),
    ("f8", DoubleType, i => if (i == 0) -0.0 else i / 3.0), ("d", DateType, i => i),
    ("t", TimestampType, _.toLong), ("n", TimestampNTZType, i => -i.toLong),
    ("dec", DecimalType(20, 3), i => Decimal(BigDecimal(i) / 8, 20, 3)),
    ("s", StringType, i => UTF8String.fromString(s"text $i")),
    ("bin", BinaryType, i => Array(i.toByte, -1.toByte)))

  private val types: String => Option[DataType] =
    columns.map { case (name, dataType, _) => name -> dataType }.toMap.get

  private def rich(i: Int): FileAdded = file(s"f$i").copy(leaf = Option.when(i % 3 > 0)(i % 2),
    treeId = i % 2, rows = i, bytes = i * 2L, modified = i * 3L, dataChange = i % 5 > 0,
    // Every column is unknown, unbounded, without values and bounded in some file.
    stats = columns.zipWithIndex.collect {
      case ((name, _, value), c) if (i + c) % 4 > 0 =>
        name -> ((i + c) % 4 match {
          case 1 if i % 2 == 0 => ColumnStats.unbounded(i.toLong, 1)
          case 1 => ColumnStats(Some(value(i)), None, i.toLong, 1, bounded = false)
          case 2 => ColumnStats(None, None, i.toLong, 0, bounded = true)
          case _ => ColumnStats(Some(value(i)), Some(value(i + 1)), 0, i.toLong, bounded = true)
        })
    }.toMap)

  private def plain(file: FileAdded): Any = file.copy(stats = Map.empty) ->
    file.stats.map { case (name, stats) =>
      name -> (Seq(stats.min, stats.max).map(_.map {
        case bytes: Array[Byte] => bytes.toSeq
        case double: Double => java.lang.Double.doubleToRawLongBits(double)
        case float: Float => java.lang.Float.floatToRawIntBits(float)
        case other => other
      }), stats.nulls, stats.nans, stats.bounded)
    }

  private val leaves = Map(0 -> Set(0, 1), 1 -> Set(0, 1))

  private def build(base: LiveFiles, add: Seq[FileAdded], remove: Seq[String] = Nil): LiveFiles = {
    val builder = new FilesBuilder(base)
    add.foreach(builder.add(_, types))
    remove.foreach(builder.remove)
    builder.result(types, leaves)
  }

  test("every type of value, every kind of statistics: what goes in comes out") {
    val files = (0 until 60).map(rich)
    assert(build(LiveFiles.empty, files).map(plain) == files.map(plain))
  }

  test("what is removed is gone, of the base and of what was added") {
    val files = (0 until 60).map(rich)
    val base = build(LiveFiles.empty, files.take(30))
    val removed = files.map(_.path).filter(_.endsWith("7"))
    val now = build(base, files.drop(30), removed)
    assert(now.map(plain) == files.filterNot(f => removed.contains(f.path)).map(plain))
    assert(base.map(plain) == files.take(30).map(plain), "the base has changed")
  }

  test("a file that is removed and added again is there once, as it was added last") {
    val base = build(LiveFiles.empty, (0 until 5).map(rich))
    val builder = new FilesBuilder(base)
    builder.remove("f3")
    builder.add(rich(9).copy(path = "f3"), types)
    val now = builder.result(types, leaves)
    assert(now.map(_.path) == Seq("f0", "f1", "f2", "f4", "f3"))
    assert(plain(now(4)) == plain(rich(9).copy(path = "f3")))
  }

  test("a leaf that no tree has is none; a column that the schema lacks is not known") {
    val files =
      build(LiveFiles.empty, Seq(file("x", leaf = Some(5)), file("y", treeId = 9), rich(2)))
    assert(files.map(_.leaf) == Seq(None, None, rich(2).leaf))
    val fewer = files.gather(Array(2), name => types(name).filter(_ => name != "s"), leaves)
    assert(fewer.stats("s").isEmpty && fewer.stats("i4").isDefined)
    assert(fewer(0).stats.keySet == rich(2).stats.keySet - "s")
  }

  test("statistics by column need no object for each file") {
    val files = build(LiveFiles.empty, (0 until 8).map(rich))
    val column = files.stats("i4").get
    for (i <- files.indices; stats = rich(i).stats.get("i4")) {
      assert(column.has(i) == stats.isDefined && column(i) == stats)
      assert(column.min(i) == stats.flatMap(_.min).orNull)
      assert(column.bounded(i) == stats.exists(_.bounded))
    }
    assert(files.stats("nope").isEmpty)
    assert(files.totalRows == (0 until 8).sum && files.totalBytes == 2 * (0 until 8).sum)
  }

  test("a great many files of thirty-two columns: counted, compacted, in bounded memory") {
    inFolder { folder =>
      val wide = StructType(
        (0 until 32).map(c => StructField(s"c$c", if (c % 4 == 0) StringType else LongType)))
      val many = Nightly.count(night = 100000, day = 20000)
      def stats(i: Int) = wide.zipWithIndex.map { case (field, c) =>
        def value(v: Int): Any =
          if (c % 4 == 0) UTF8String.fromString(s"v$v") else v.toLong
        field.name -> ColumnStats(Some(value(i)), Some(value(i + c)), i % 3L, 0, bounded = true)
      }.toMap
      def of(i: Int) =
        file(f"leaf=${i % 2}/part-$i%06d", leaf = Some(i % 2)).copy(stats = stats(i))
      val log = open(folder)
      create(log, metadata.copy(schema = wide))
      // In ten versions, so that one of them has a checkpoint.
      for (v <- 0 until 10) {
        val part = (v * many / 10 until (v + 1) * many / 10).map(of)
        log.commit(v.toLong, part :+ who(), Append)
      }
      assert(Files.exists(checkpointFile(folder, 10)))
      SnapshotCache.forget(pathOf(folder).toString)
      val before = used()
      val start = System.nanoTime
      val snapshot = fresh(folder).snapshot()
      val millis = (System.nanoTime - start) / 1000000
      val files = snapshot.files
      assert(files.length == many && files.totalRows == many * 10L)
      assert(files.pathSet.size == many)
      val taken = used() - before
      // 32 bounds of a file; as objects they would be about ten kilobytes.
      info(s"opened for the first time in $millis ms, ${taken >> 20} MiB kept")
      assert(taken < many * 4096L, s"${taken >> 20} MiB")
      val some = Seq(0, 1, many / 2 - 1, many - 1)
      for (i <- some) assert(files(files.paths.indexOf(of(i).path)) == of(i))
      val pair = Seq(files(0), files(2))
      log.commit(10,
        pair.map(f => gone(f.path, dataChange = false)) ++
          Seq(file("both", rows = 20, dataChange = false).copy(stats = Map.empty), who()), Layout)
      val again = System.nanoTime
      val now = open(folder).snapshot().files
      info(s"one version more in ${(System.nanoTime - again) / 1000000} ms")
      assert(now.length == many - 1 && now.totalRows == many * 10L && files.length == many)
    }
  }

  private def used(): Long = {
    val runtime = Runtime.getRuntime
    (1 to 3).foreach { _ =>
      System.gc()
      Thread.sleep(50)
    }
    runtime.totalMemory - runtime.freeMemory
  }
}
