package io.colocate.tables.sql

import java.nio.file.{Files, Paths}

/** One clear error each, and nothing written. */
class BadInputSuite extends TableSession {

  private def refused(what: String, code: String, says: String*)(options: (String, String)*): Unit =
    test(s"$what is refused") {
      val path = fresh()
      val e = failure(write(numbers(100), path, "error", options: _*))
      (s"COLOCATE_TABLE_$code" +: says).foreach(part => assert(e.getMessage.contains(part), e))
      assert(!Files.exists(Paths.get(path)))
    }

  refused("an unknown column in weights", "INVALID_OPTION", "weights", "nope", "a, b, c, s")(
    "weights" -> "nope=2")
  refused("an unknown join key", "INVALID_OPTION", "joinKey", "nope")("joinKey" -> "nope")
  refused("a weight that is no number", "INVALID_OPTION", "weights", "a=x")("weights" -> "a=x")
  refused("a weight of zero", "INVALID_OPTION", "weights")("weights" -> "a=0")
  refused("an unknown option", "INVALID_OPTION", "wieghts", "weights")("wieghts" -> "a=2")
  refused("two sizes", "INVALID_OPTION", "maxLeafRows", "targetFileBytes")("maxLeafRows" -> "10",
    "targetFileBytes" -> "1m")
  refused("a weight of a column that is not to be cut", "INVALID_OPTION", "weights", "b")(
    "columns" -> "a", "weights" -> "b=2")
  refused("join levels without a join key", "INVALID_OPTION", "joinLevels")("joinLevels" -> "2")
  refused("the published construction with a join key", "INVALID_OPTION", "construction")(
    "construction" -> "published", "joinKey" -> "a")
  refused("an unknown construction", "INVALID_OPTION", "construction", "sizeDriven, published")(
    "construction" -> "magic")
  refused("no replica", "INVALID_OPTION", "replicas", "a whole number from 1")("replicas" -> "0")
  refused("a size that is none", "INVALID_OPTION", "targetFileBytes", "32m")(
    "targetFileBytes" -> "big")

  refused("more replicas than columns", "INVALID_OPTION", "replicas", "'5'", "1 to 4",
    "a, b, c, s")("replicas" -> "5")
  refused("more replicas than columns beside the join key", "INVALID_OPTION", "replicas", "'4'",
    "1 to 3", "b, c, s")("replicas" -> "4", "joinKey" -> "a")
  refused("more replicas than columns that may be cut", "INVALID_OPTION", "replicas", "1 to 1",
    "(b)")("replicas" -> "2", "columns" -> "b")
  refused("a weight of the join key", "INVALID_OPTION", "weights", "'b=3, A=2'", "joinKey")(
    "joinKey" -> "a", "weights" -> "b=3, A=2")
  refused("join cuts together with join levels", "INVALID_OPTION", "joinCuts",
    "without joinLevels")("joinKey" -> "a", "joinLevels" -> "2", "joinCuts" -> "/nowhere")

  test("as many replicas as columns, and weights beside the join key, are accepted") {
    val path = create(numbers(100), "replicas" -> "4")
    assert(log(path).snapshot().trees.length == 4)
    same(numbers(100), read(path))
    same(numbers(100),
      read(create(numbers(100), "joinKey" -> "a", "weights" -> "b=2", "replicas" -> "3")))
  }

  test("another layout than the table's is refused where the rows stay, the same one is accepted") {
    val path =
      create(numbers(100), "joinKey" -> "a", "weights" -> "b=2, c=3", "maxLeafRows" -> "50")
    val files = dataFiles(path).toSet
    val others = Seq("joinKey" -> "b", "joinLevels" -> "1", "joinCuts" -> path, "columns" -> "b",
      "weights" -> "b=3", "maxLeafRows" -> "60", "targetFileBytes" -> "1m", "replicas" -> "2",
      "construction" -> "published", "sampleRows" -> "5000", "seed" -> "7")
    for ((name, value) <- others) {
      val e = failure(write(numbers(10), path, "append", name -> value))
      Seq("COLOCATE_TABLE_INVALID_OPTION", s"option $name is '$value'", path).foreach(part =>
        assert(e.getMessage.contains(part), e))
    }
    for (other <- Seq("replaceWhere" -> "a < 10", "operation" -> "compact")) {
      val e = failure(write(numbers(0), path, "overwrite", other, "maxLeafRows" -> "60"))
      assert(e.getMessage.contains("made with, 50"), e)
    }
    assert(version(path) == 0 && dataFiles(path).toSet == files)
    val same = Seq("joinkey" -> " a ", "weights" -> "c=3,b=2", "maxLeafRows" -> "50", "seed" -> "0")
    write(numbers(10, from = 100), path, "append", same: _*)
    assert(read(path).count() == 110)
    write(numbers(0), path, "overwrite", ("replaceWhere" -> "a < 10") +: same: _*)
    assert(read(path).count() == 100)
    write(numbers(20), path, "overwrite", "maxLeafRows" -> "60")
    assert(log(path).snapshot().metadata.options("maxLeafRows") == "60")
  }

  test("replaceWhere is refused with another mode and with replicas") {
    val (path, copies) = (create(numbers(100)), create(numbers(100), "replicas" -> "2"))
    def refuses(path: String, mode: String, says: String*): Unit = {
      val files = dataFiles(path).toSet
      val e = failure(write(spark.range(5).toDF("a"), path, mode, "replaceWhere" -> "a < 10"))
      says.foreach(part => assert(e.getMessage.contains(part), e))
      assert(version(path) == 0 && dataFiles(path).toSet == files)
    }
    refuses(path, "append", "INVALID_OPTION", "replaceWhere is 'a < 10'", "mode overwrite")
    refuses(path, "ignore", "INVALID_OPTION", "mode overwrite")
    refuses(copies, "overwrite", "NOT_SUPPORTED", "replaceWhere", "replicas")
    write(spark.range(5).toDF("a"), path, "overwrite", "replaceWhere" -> "a < 10")
    assert(read(path).count() == 95)
  }

  test("replaceWhere makes a table of rows that it selects, and of no others") {
    val (path, none) = (fresh(), fresh())
    write(numbers(10), path, "overwrite", "replaceWhere" -> "a < 10")
    assert(read(path).count() == 10)
    val e = failure(write(numbers(11), none, "overwrite", "replaceWhere" -> "a < 10"))
    assert(e.toString.contains("replaceWhere") || e.getCause.toString.contains("replaceWhere"))
    assert(!Files.exists(Paths.get(none)))
  }

  test("files of a table that lost its log are not taken for those of a save that was killed") {
    val path = fresh()
    write(numbers(60), path, "error")
    val log = Files.list(Paths.get(path, "_robust_log"))
    log.forEach(entry => Files.delete(entry))
    val files = Files.list(Paths.get(path)).toArray.toSet
    val e = failure(write(numbers(60), path, "error"))
    assert(e.getMessage.contains("COLOCATE_TABLE_PATH_TAKEN"))
    assert(Files.list(Paths.get(path)).toArray.toSet == files)
  }

  test("a sample too small is refused") {
    val path = fresh()
    val e =
      failure(write(numbers(10000), path, "error", "maxLeafRows" -> "100", "sampleRows" -> "50"))
    assert(e.getMessage.contains("sampleRows") && e.getMessage.contains("1000 or more"))
    assert(!Files.exists(Paths.get(path)))
  }

  test("a join key without an order is refused") {
    val path = fresh()
    val e =
      failure(write(spark.range(5).selectExpr("array(id) AS l"), path, "error", "joinKey" -> "l"))
    assert(e.getMessage.contains("joinKey") && e.getMessage.contains("ARRAY<BIGINT>"))
    assert(!Files.exists(Paths.get(path)))
  }

  test("partitionBy is refused") {
    val e = failure(numbers(10).write.format("colocate").partitionBy("a").save(fresh()))
    assert(
      e.getMessage.contains("COLOCATE_TABLE_NOT_SUPPORTED") && e.getMessage.contains("joinKey"))
  }

  test("a path that holds something else is refused, in every mode, and left as it is") {
    for (mode <- Seq("error", "append", "overwrite")) {
      val path = fresh()
      numbers(10).write.parquet(path)
      val before = dataFiles(path).toSet
      val e = failure(write(numbers(10), path, mode))
      assert(e.getMessage.contains("COLOCATE_TABLE_PATH_TAKEN"), mode)
      assert(dataFiles(path).toSet == before)
    }
  }

  test("a path without a table cannot be read") {
    val e = failure(read(fresh()))
    assert(e.getMessage.contains("COLOCATE_TABLE_NOT_FOUND"))
  }

  test("a table that exists is not written again by accident") {
    val path = create(numbers(10))
    val e = failure(write(numbers(10), path, "error"))
    assert(e.getMessage.contains("COLOCATE_TABLE_EXISTS"))
    write(numbers(20), path, "ignore")
    assert(read(path).count() == 10 && version(path) == 0)
  }

  test("append of a type that the column does not hold is refused") {
    val path = create(numbers(10))
    val e = failure(write(spark.range(3).selectExpr("'x' AS a"), path, "append"))
    assert(e.getMessage.contains("SCHEMA_MISMATCH") && e.getMessage.contains("BIGINT"))
    assert(version(path) == 0)
  }

  test("two columns of one name are refused") {
    val path = fresh()
    failure(write(spark.range(3).selectExpr("id AS x", "id AS X"), path, "error"))
    assert(!Files.exists(Paths.get(path)))
  }

  test("version and timestamp together are refused, and so is what is neither") {
    val path = create(numbers(10))
    assert(failure(read(path, "version" -> "0", "timestamp" -> "2026-01-01")).getMessage
        .contains("either it or version"))
    assert(failure(read(path, "version" -> "x")).getMessage.contains("the number of a version"))
    assert(failure(read(path, "timestamp" -> "soon")).getMessage.contains("timestamp"))
    assert(failure(read(path, "version" -> "9")).getMessage.contains("accepted: 0 to 0"))
  }

  test("an unknown operation is refused") {
    val path = create(numbers(10))
    val e = failure(write(numbers(0), path, "append", "operation" -> "shrink"))
    assert(e.getMessage.contains("compact, vacuum"))
  }

  test("a format of the future is refused") {
    val path = create(numbers(10))
    val entry = Paths.get(path, "_robust_log", "00000000000000000000.json")
    val lines = Files.readString(entry).linesWithSeparators.toSeq.init
    val future = lines.mkString.replace("\"formatVersion\":1", "\"formatVersion\":2")
    assert(future != lines.mkString)
    val sum = new java.util.zip.CRC32
    sum.update(future.getBytes("UTF-8"))
    val end = f"""{"end":{"lines":${lines.length},"crc32":"${sum.getValue}%08x"}}""" + "\n"
    Files.delete(entry)
    Files.writeString(entry, future + end)
    val e = failure(read(path).count())
    assert(e.getMessage.contains("[COLOCATE_TABLE_FUTURE_FORMAT]"), e)
    assert(e.getMessage.contains("format 2") && e.getMessage.contains("up to 1"))
  }
}
