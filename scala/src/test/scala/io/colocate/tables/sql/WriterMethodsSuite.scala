package io.colocate.tables.sql

import java.lang.reflect.Modifier

import org.apache.spark.sql.{CreateTableWriter, DataFrameReader, DataFrameWriter, DataFrameWriterV2}
import org.apache.spark.sql.functions.{col, lit}

/** Every method of Spark's readers and writers on a table of ours: it does what it says, or is refused. */
class WriterMethodsSuite extends NamedTables {

  /** Fields and checks of Spark's own, which Scala compiles to public methods. */
  private val inner = Set("clusteringColumns", "source", "isBucketed", "partitioningColumns",
    "_withSchemaEvolution", "validatePartitioning", "curmode", "sortColumnNames", "numBuckets",
    "extraOptions", "bucketColumnNames", "assertNotBucketed", "assertNotPartitioned",
    "assertNotClustered", "userSpecifiedSchema", "assertNoSpecifiedSchema",
    "validateSingleVariantColumn", "validateJsonSchema", "validateXmlSchema")

  private def methods(c: Class[_]): Set[String] =
    c.getDeclaredMethods.filter(m => Modifier.isPublic(m.getModifiers)).map(_.getName)
      .filterNot(_.contains("$")).toSet -- inner

  test("the methods of readers and writers are those that the next test looks at") {
    assert(methods(classOf[DataFrameWriter[_]]) == Set("mode", "format", "option", "options",
      "partitionBy", "bucketBy", "sortBy", "clusterBy", "save", "insertInto", "saveAsTable", "jdbc",
      "json", "parquet", "orc", "text", "csv", "xml", "withSchemaEvolution"))
    assert(methods(classOf[DataFrameWriterV2[_]]) ++ methods(classOf[CreateTableWriter[_]]) ==
      Set("withSchemaEvolution", "using", "option", "options", "tableProperty", "partitionedBy",
        "clusterBy", "create", "replace", "createOrReplace", "append", "overwrite",
        "overwritePartitions"))
    assert(methods(classOf[DataFrameReader]) == Set("format", "schema", "option", "options", "load",
      "jdbc", "json", "csv", "xml", "parquet", "orc", "table", "text", "textFile", "changes"))
  }

  test("methods of writers do what they say, or are refused") {
    val frame = spark.range(5).selectExpr("id AS a", "'x' AS b")
    def writer = frame.write.format("colocate")
    def refuses(says: String)(body: => Any): Unit = {
      val e = failure(body)
      assert(e.getMessage.contains(says), e)
      assert(spark.table(kept).count() == 100)
    }
    for (write <- Seq[String => Any](writer.partitionBy("a").saveAsTable(_),
        writer.partitionBy("a").save(_), writer.clusterBy("a").save(_),
        writer.clusterBy("a").saveAsTable(_), writer.bucketBy(2, "a").saveAsTable(_),
        writer.bucketBy(2, "a").sortBy("b").saveAsTable(_),
        frame.writeTo(_).using("colocate").partitionedBy(col("a")).create(),
        frame.writeTo(_).using("colocate").clusterBy("a").create(),
        frame.writeTo(_).using("colocate").tableProperty("joinKey", "a").create()))
      refuses(ours)(write(name()))
    assert(spark.read.option("startingVersion", 0).changes(kept).count() == 100)
    refuses("bucketBy")(writer.bucketBy(2, "a").save(fresh()))
    refuses("COLOCATE_TABLE_INVALID_OPTION")(writer.option("nonsense", 1).saveAsTable(name()))
    for (write <- Seq[() => Any](
        () =>
          frame.write.withSchemaEvolution().format("colocate").mode("append").save(location(kept)),
        () => frame.write.withSchemaEvolution().insertInto(kept),
        () => frame.write.withSchemaEvolution().mode("append").saveAsTable(kept)))
      refuses("SCHEMA_EVOLUTION")(write())
    val t = hundred()
    frame.write.insertInto(t)
    assert(spark.table(t).count() == 105)
    frame.write.mode("append").format("colocate").saveAsTable(t)
    assert(spark.table(t).count() == 110)
    val n = name()
    frame.writeTo(n).using("colocate").option("maxLeafRows", "3").create()
    assert(spark.table(n).count() == 5 &&
      log(location(n)).snapshot().metadata.options == Map("maxLeafRows" -> "3"))
    for (write <- Seq[() => Any](
        () => frame.writeTo(kept).append(), () => frame.writeTo(kept).overwrite(lit(true)),
        () => frame.writeTo(kept).overwritePartitions()))
      refuses("Cannot write into v1 table")(write())
    refuses(notInV1)(frame.writeTo(kept).using("colocate").replace())
    refuses(notInV1)(frame.writeTo(kept).using("colocate").createOrReplace())
    for (write <- Seq[String => Any](frame.write.mode("overwrite").json(_),
        frame.write.mode("overwrite").orc(_), frame.write.mode("overwrite").parquet(_),
        frame.write.mode("overwrite").csv(_), frame.select("b").write.mode("overwrite").text(_),
        frame.write.mode("overwrite").option("rowTag", "r").xml(_)))
      refuses(ours)(write(location(kept)))
  }
}
