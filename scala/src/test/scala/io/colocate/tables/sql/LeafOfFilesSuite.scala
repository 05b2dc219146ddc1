package io.colocate.tables.sql

import org.apache.spark.sql.DataFrame

import io.colocate.testing.Nightly

/** Each file is logged under the leaf that its rows belong to, however Spark's writer goes about it. */
class LeafOfFilesSuite extends TableSession {

  private val filters =
    (0 until 12).map(i => s"b = ${i * 83}") ++ Seq("a < 10", "c = 3", "c IS NULL")

  private def rows(from: Int): DataFrame = numbers(4000, from)

  for (((writers, records), i) <- Seq("3" -> "40", "0" -> "40", "50" -> "0",
      "50" -> "40").zipWithIndex)
    test(s"$writers concurrent writers, files of $records records at most",
      Nightly.turn(i, every = 2): _*) {
      withConf("spark.sql.maxConcurrentOutputFileWriters" -> writers) {
        val path = create(rows(0), "maxLeafRows" -> "200")
        write(rows(4000), path, "append", "maxRecordsPerFile" -> records)
        write(read(path).where("b < 500"), path, "overwrite", "replaceWhere" -> "b < 500",
          "maxRecordsPerFile" -> records)
        val expected = rows(0).union(rows(4000))
        same(expected, read(path))
        filters.foreach(f => same(expected.where(f), read(path).where(f)))
        val files = log(path).snapshot().files
        assert(files.forall(_.leaf.nonEmpty))
        assert(records == "0" || files.length > 100)
        assert(scan(read(path).where("b = 100")).keptFiles < files.length)
      }
    }

  test("the same by a setting of the session") {
    withConf("spark.sql.maxConcurrentOutputFileWriters" -> "50",
      "spark.sql.files.maxRecordsPerFile" -> "30") {
      val path = create(rows(0), "maxLeafRows" -> "200")
      write(rows(4000), path, "append")
      val expected = rows(0).union(rows(4000))
      filters.foreach(f => same(expected.where(f), read(path).where(f)))
    }
  }
}
