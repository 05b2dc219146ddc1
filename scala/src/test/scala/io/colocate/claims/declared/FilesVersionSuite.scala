package io.colocate.claims.declared

import scala.collection.mutable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, PartitioningAwareFileIndex, PartitionSpec}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.types.StructType

import io.colocate.facts.proved.TableVersion
import io.colocate.testing.ColocateTestSession

/** Which listings of files are one version of a table, and what it costs a planning to tell. */
class FilesVersionSuite extends AnyFunSuite with ColocateTestSession {

  private val root = new Path("file:/data/t")
  private val schema = StructType.fromDDL("id INT, a INT")

  private def file(i: Int, bytes: Long = 1000, modified: Long = 1L): FileStatus =
    new FileStatus(bytes, false, 1, 1 << 20, modified, new Path(root, f"part-$i%06d.parquet"))

  private class Files(var all: Seq[FileStatus])
      extends PartitioningAwareFileIndex(spark, Map.empty, None) {
    override def rootPaths: Seq[Path] = Seq(root)
    override def partitionSpec(): PartitionSpec = PartitionSpec.emptySpec
    override def leafFiles: mutable.LinkedHashMap[Path, FileStatus] =
      mutable.LinkedHashMap.from(all.map(f => f.getPath -> f))
    override def leafDirToChildrenFiles: Map[Path, Array[FileStatus]] = Map(root -> all.toArray)
    override def refresh(): Unit = ()
  }

  private def version(files: Files, read: StructType = schema): TableVersion =
    FilesVersion.of(HadoopFsRelation(files, new StructType(), read, None, new ParquetFileFormat,
      Map.empty)(spark)).get

  private val few = 0 until 5

  test("the same files are one version, whichever index has listed them, and in whichever order") {
    val (here, there) = (new Files(few.map(file(_))), new Files(few.reverse.map(file(_))))
    assert(version(here) == version(here))
    assert(version(here) == version(there) && version(here).hashCode == version(there).hashCode)
  }

  test(
    "files that were written anew are another version, also where an index lists them in place") {
    val files = new Files(few.map(file(_)))
    val before = version(files)
    for (changed <- Seq(file(2, bytes = 1001), file(2, modified = 2L), file(7))) {
      files.all = few.map(file(_)).updated(2, changed)
      assert(version(files) != before, changed)
    }
    files.all = few.map(file(_)).tail
    assert(version(files) != before)
    files.all = few.map(file(_))
    assert(version(files) == before)
  }

  test("files that are read in another way are another version") {
    val files = new Files(few.map(file(_)))
    assert(version(files) != version(files, StructType.fromDDL("id INT, a STRING")))
  }

  test("of a hundred thousand files each planning looks at what it has, and makes no text of it") {
    val files = new Files((0 until 100000).map(file(_)))
    val again = new Files((0 until 100000).map(file(_)))
    def seconds(body: => Unit): Double = {
      val start = System.nanoTime()
      body
      (System.nanoTime() - start) / 1e9
    }
    val first = version(files)
    val compared = seconds(assert(first == version(again)))
    val planned = (1 to 20).map(_ => seconds(assert(version(files) == first))).sorted
    info(f"compared with another listing: $compared%.3f s; known: ${planned(10) * 1000}%.1f ms")
    assert(planned(10) < compared)
  }
}
