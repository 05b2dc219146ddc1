package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.tables.operations.TableOptions
import io.colocate.tables.scan.PinTable
import io.colocate.tables.snapshot.LiveFiles

/** `SELECT * FROM colocate_table_stats('/data/t')`: the size of a version, the newest by default. */
private[colocate] object TableStatsFunction
    extends ReportFunction("colocate_table_stats", Seq("table", "version"),
      "_FUNC_(table[, version]) - The rows of a version of a Colocate table, given by path or name, and" +
        " the files and bytes that hold them. With replicas each row counts once, files and bytes as" +
        " often as there are copies. A file is unrouted if it lies in no leaf of a tree. join_key has the columns of the" +
        " join key, NULL if there is none. unroutedFiles and mostLeafRows are the older names of" +
        " unrouted_files and most_leaf_rows; a later release leaves them out.",
      new StructType()
        .add("version", LongType, nullable = false)
        .add("rows", LongType, nullable = false)
        .add("bytes", LongType, nullable = false)
        .add("files", LongType, nullable = false)
        .add("trees", LongType, nullable = false)
        .add("leaves", LongType, nullable = false)
        .add("unrouted_files", LongType, nullable = false)
        .add("most_leaf_rows", LongType, nullable = false)
        .add("unroutedFiles", LongType, nullable = false)
        .add("mostLeafRows", LongType, nullable = false)
        .add("join_key", StringType)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val snapshot = NamedTable.snapshot(log, arguments)
    val once = PinTable.whole(log.path, snapshot).rows
    val files = snapshot.files
    val (routed, unrouted) = files.indices.partition(files.leaf(_).nonEmpty)
    val leaves = snapshot.trees.map(_.leaves.length.toLong).sum
    val named = Seq(unrouted.length.toLong, mostLeafRows(files, routed))
    val key =
      Option(TableOptions.of(snapshot).joinKey).filter(_.nonEmpty).map(_.mkString(", ")).orNull
    Seq(Seq(snapshot.version, once, files.totalBytes, files.length.toLong,
      snapshot.trees.length.toLong, leaves) ++ named ++ named :+ key)
  }

  private def mostLeafRows(files: LiveFiles, routed: Seq[Int]): Long =
    routed.groupMapReduce(i => (files.tree(i), files.leaf(i)))(files.rows)(_ + _)
      .values.maxOption.getOrElse(0L)
}
