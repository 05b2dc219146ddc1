package io.colocate.tables.scan

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.ParquetInputFormat.HADOOP_VECTORED_IO_ENABLED

import org.apache.spark.sql.execution.datasources.FileFormat
import org.apache.spark.sql.types.StructType

import io.colocate.tables.commit.PlainFileSystem
import io.colocate.tables.sql.TableSession

/** How files are read, by where they lie; which rows they give, the suites of `source` tell. */
class ReadOnlyParquetSuite extends TableSession {

  /** What Parquet is told about reading in vectors; none for its own default. */
  private def vectored(table: String, settings: (String, String)*): Option[String] = {
    val conf = spark.sessionState.newHadoopConf()
    conf.set("fs.plain.impl", classOf[PlainFileSystem].getName)
    settings.foreach { case (key, value) => conf.set(key, value) }
    val none = new StructType()
    val options = Map(FileFormat.OPTION_RETURNING_BATCH -> "true")
    new ReadOnlyParquet(new Path(table), version = 0)
      .buildReaderWithPartitionValues(spark, none, none, none, Nil, options, conf)
    Option(conf.get(HADOOP_VECTORED_IO_ENABLED))
  }

  test("files of a local disk are not read in vectors, others as Parquet has it") {
    assert(vectored("/data/orders").contains("false"))
    assert(vectored("file:/data/orders").contains("false"))
    assert(vectored("plain:/data/orders").isEmpty)
  }

  test("what the user says of reading in vectors stands") {
    for (said <- Seq("true", "false"))
      assert(vectored("/data/orders", HADOOP_VECTORED_IO_ENABLED -> said).contains(said))
  }
}
