package io.colocate.tables.sql

import org.apache.hadoop.fs.Path

import io.colocate.tables.commit.{Hdfs, S3}
import io.colocate.tables.format.LogNames

/** Its log is put by the name node's rename; see also LogStoreSuite. */
class HdfsSuite extends RemoteTableSuite(Hdfs.uri)

/** Its log is put by a conditional write. */
class S3Suite extends RemoteTableSuite(S3.uri) {
  override protected def sessionConf: Map[String, String] =
    super.sessionConf ++ S3.settings.map { case (key, value) => s"spark.hadoop.$key" -> value }
}

/** Tables elsewhere than on a disk of this machine. */
abstract class RemoteTableSuite(uri: String) extends TableSession {

  override protected def fresh(): String = uri + super.fresh()

  private def names(folder: Path): Seq[String] =
    folder.getFileSystem(spark.sessionState.newHadoopConf()).listStatus(folder)
      .map(_.getPath.getName).toSeq

  test("a table is written, appended to, pruned, and read as it was") {
    val path = create(numbers(2000), "maxLeafRows" -> "200")
    write(numbers(100, from = 2000), path, "append")
    same(numbers(2100), read(path))
    same(numbers(2000), read(path, "version" -> "0"))
    val few = read(path).where("a < 50")
    same(numbers(2100).where("a < 50"), few)
    assert(scan(few).keptFiles < scan(few).files)
  }

  test("rows are replaced, files gathered, and what no version needs removed") {
    val path = create(numbers(2000), "maxLeafRows" -> "500")
    (1 to 4).foreach(i => write(numbers(50, from = 2000 + 50 * i), path, "append"))
    val before = read(path).collect().map(_.toString).sorted.toSeq
    write(numbers(0), path, "append", "operation" -> "compact")
    assert(log(path).snapshot().info.operation == "COMPACT")
    assert(read(path).collect().map(_.toString).sorted.toSeq == before)
    write(numbers(100), path, "overwrite", "replaceWhere" -> "a < 100")
    withConf("spark.colocate.layout.singleWriter" -> "true") {
      Thread.sleep(20)
      write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
    }
    val live = log(path).snapshot().files.map(_.path).toSet
    assert(names(new Path(path)).filter(_.endsWith(".parquet")).toSet == live)
    assert(read(path).collect().map(_.toString).sorted.toSeq == before)
  }

  test("appends at the same time are all kept, each once, and nothing else is left in the log") {
    val path = create(numbers(1000), "maxLeafRows" -> "200")
    appendsAtTheSameTime(path)
    same(appended.foldLeft(numbers(1000))(_ union _), read(path))
    assert(version(path) == 8)
    assert(names(new Path(path, LogNames.Folder)).toSet == (0L to 8L).map(LogNames.entry).toSet)
  }
}
