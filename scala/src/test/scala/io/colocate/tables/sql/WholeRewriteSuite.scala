package io.colocate.tables.sql

import java.nio.file.{Files, Path}

import org.apache.spark.sql.functions.expr

/** What a write keeps of a table it keeps as a whole, or it is refused; done is done. */
class WholeRewriteSuite extends TableSession {

  private val lenient =
    Seq("spark.sql.files.ignoreMissingFiles", "spark.sql.files.ignoreCorruptFiles")

  private def leniently[T](body: => T): T = withConf(lenient.map(_ -> "true"): _*)(body)

  private def cutInHalf(file: Path): Unit = {
    val bytes = Files.readAllBytes(file)
    Files.write(file, bytes.take(bytes.length / 2))
    // Hadoop's checksum would tell before Parquet does.
    Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))
  }

  private val damages =
    Seq[(String, Path => Unit)]("missing" -> (Files.delete(_)), "cut in half" -> (cutInHalf(_)))

  for ((name, damage) <- damages) {
    test(s"replaceWhere refuses to leave out a file that is $name") {
      val path = create(numbers(400), "maxLeafRows" -> "100")
      damage(dataFiles(path).head)
      val before = version(path)
      leniently {
        failure(write(numbers(1), path, "overwrite", "replaceWhere" -> "a >= 0"))
      }
      assert(version(path) == before)
    }

    test(s"an overwrite by what is read from the table, where a file is $name") {
      val path = create(numbers(400), "maxLeafRows" -> "100")
      damage(dataFiles(path).head)
      val before = version(path)
      leniently {
        assert(read(path).count() < 400)
        val e = failure(write(read(path).where("a > 0"), path, "overwrite"))
        assert(e.getMessage.contains("ignoreMissingFiles"))
        // What can be read may be saved somewhere else.
        val saved = create(read(path))
        assert(read(saved).count() < 400)
      }
      assert(version(path) == before)
    }
  }

  test("with all files there, the settings change nothing of replaceWhere") {
    val path = create(numbers(400), "maxLeafRows" -> "100")
    leniently(write(numbers(1), path, "overwrite", "replaceWhere" -> "a < 7"))
    same(numbers(1).union(numbers(393, from = 7)), read(path))
  }

  test("a predicate that is not the same whenever it is asked is refused") {
    val path = create(numbers(100))
    for (predicate <- Seq("rand() < 0.5", "a < uuid()", "a IN (SELECT id FROM range(3))",
        "monotonically_increasing_id() = a")) {
      val e = failure(write(numbers(1), path, "overwrite", "replaceWhere" -> predicate))
      assert(e.getMessage.contains("replaceWhere"), e)
    }
    assert(version(path) == 0)
    val now = numbers(100).withColumn("t", expr("current_timestamp() - INTERVAL 1 DAY"))
    val timed = create(now)
    write(now.limit(0), timed, "overwrite", "replaceWhere" -> "t < current_timestamp()")
    assert(read(timed).count() == 0)
  }

  test("cached rows that cannot be read again do not fail a write that is done") {
    val path = create(spark.range(5).selectExpr("id", "CAST(id AS INT) AS a"))
    val cached = read(path).where("a < 3").cache()
    assert(cached.count() == 3)
    write(spark.range(2).selectExpr("id", "'text' AS a"), path, "overwrite")
    assert(version(path) == 1 && read(path).where("a = 'text'").count() == 2)
    cached.unpersist()
  }
}
