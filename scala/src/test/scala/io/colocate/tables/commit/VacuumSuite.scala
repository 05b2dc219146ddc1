package io.colocate.tables.commit

import java.io.IOException
import java.nio.file.{Files, Path => NioPath}
import java.nio.file.attribute.FileTime

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, FilterFileSystem, Path}
import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.format.{Action, ConcurrentChange, DataFileName, FileAdded, InvalidCommit, Isolation, LocalLogStore, LogNames, RetentionTooShort, VersionVacuumed}
import io.colocate.tables.format.Isolation.{Append, Layout, Overwrite}
import io.colocate.tables.snapshot.SnapshotCache

class VacuumSuite extends AnyFunSuite with LogFixture {

  private val hour = 3600L * 1000
  private val day = 24 * hour

  // Names that our writer gives.
  private val Seq(orphan, slowFile, lateFile) =
    (0 to 2).map(leaf => DataFileName(leaf, "-c000.snappy.parquet"))

  /** A table whose clock a test moves, with files on disk that are as old as the test says. */
  private class Table(val folder: NioPath) {
    var now: Long = 1000 * day
    val log: TableLog = open(folder, () => now)
    val fs: FileSystem = FileSystem.getLocal(new Configuration())

    def write(path: String, at: Long = now): FileAdded = {
      val target = folder.resolve(path)
      Files.createDirectories(target.getParent)
      Files.writeString(target, "data")
      Files.setLastModifiedTime(target, FileTime.fromMillis(at))
      file(path, modified = at)
    }

    def commit(isolation: Isolation, actions: Action*): Long =
      log.commit(log.latestVersion, actions :+ who(), isolation)

    def vacuum(retention: Long = 7 * day, dryRun: Boolean = false, alone: Boolean = false) =
      Vacuum(log, fs, retention, dryRun, alone)

    def onDisk: Set[String] = {
      val walk = Files.walk(folder)
      try
        walk.iterator.asScala.filter(Files.isRegularFile(_))
          .map(folder.relativize(_).toString).filterNot(_.contains("_robust_log")).toSet
      finally walk.close()
    }
  }

  /** Version 1 adds a and b, version 2 puts ab in their place, a day later. */
  private def withTable(test: Table => Unit): Unit = inFolder { folder =>
    val table = new Table(folder)
    create(table.log)
    table.commit(Append, table.write("leaf=0/a"), table.write("leaf=1/b"))
    table.now += day
    table.commit(Layout, gone("leaf=0/a", dataChange = false), gone("leaf=1/b", dataChange = false),
      table.write("leaf=0/ab").copy(rows = 20, dataChange = false))
    table.write(orphan)
    test(table)
  }

  test("what a version within the retention needs stays, and so does what is young") {
    withTable { table =>
      table.now += 6 * day
      val report = table.vacuum()
      assert(report.orphans.isEmpty && report.removed.isEmpty && report.failed.isEmpty)
      assert(table.onDisk == Set("leaf=0/a", "leaf=1/b", "leaf=0/ab", orphan))
      assert(table.log.latestVersion == 2, "nothing was to be done, and a version was written")
      assert((0 to 2).forall(v => table.log.snapshot(v.toLong).version == v))
    }
  }

  test("what only older versions need goes, and what none needs") {
    withTable { table =>
      table.now += 9 * day
      val report = table.vacuum()
      assert(report.orphans.map(_.path).toSet == Set("leaf=0/a", "leaf=1/b", orphan))
      assert(report.removed.toSet == report.orphans.map(_.path).toSet && report.failed.isEmpty)
      assert(report.oldestVersion == 2 && report.bytes == 12)
      assert(table.onDisk == Set("leaf=0/ab"))
      assert(paths(table.log.snapshot()) == Set("leaf=0/ab"))
      val e = intercept[VersionVacuumed](table.log.snapshot(1))
      assert(e.getMessage.contains("version 1") && e.getMessage.contains("accepted: 2 to 3"))
      assert(e.getCondition == "COLOCATE_TABLE_VERSION_VACUUMED")
      assert(paths(table.log.snapshot(2)) == Set("leaf=0/ab"))
      val newest = table.log.history.next().info
      assert(newest.operation == "VACUUM" && newest.metrics == Map("files" -> 3L, "bytes" -> 12L))
    }
  }

  test("what cannot be removed is named, and the rest goes") {
    withTable { table =>
      table.now += 9 * day
      val stubborn = new FilterFileSystem(table.fs) {
        override def delete(path: Path, recursive: Boolean): Boolean = path.getName match {
          case "a" => throw new IOException("no permission")
          case "b" => false
          case `orphan` =>
            super.delete(path, recursive)
            false
          case _ => super.delete(path, recursive)
        }
      }
      val report = Vacuum(table.log, stubborn)
      assert(report.failed.keySet == Set("leaf=0/a", "leaf=1/b"))
      assert(report.failed("leaf=0/a").contains("no permission"))
      assert(report.removed == Seq(orphan), "somebody else has removed it meanwhile")
      assert(table.onDisk == Set("leaf=0/a", "leaf=1/b", "leaf=0/ab"))
      assert(table.vacuum().removed.toSet == Set("leaf=0/a", "leaf=1/b"))
    }
  }

  test("a dry run says the same and does nothing") {
    withTable { table =>
      table.now += 9 * day
      val before = table.onDisk
      val dry = table.vacuum(dryRun = true)
      assert(dry.orphans.length == 3 && dry.removed.isEmpty)
      assert(table.onDisk == before && table.log.latestVersion == 2)
      val wet = table.vacuum()
      assert(wet.orphans == dry.orphans && wet.oldestVersion == dry.oldestVersion)
    }
  }

  test("what our writer has not written is not touched, whatever its age and its place") {
    withTable { table =>
      val kept = Set("_delta_log/0.json", ".hidden/x", "_SUCCESS", "leaf=0/.x.crc", "notes.txt",
        "_temporary/0/task/part", "part-00000-0b1c-c000.snappy.parquet", s"inner/$orphan",
        s"leaf=0/$orphan", "leaf=0/stranger", s"below/of/$orphan")
      kept.foreach(table.write(_))
      Files.writeString(logFolder(table.folder).resolve("stranger"), "x")
      Files.list(logFolder(table.folder)).iterator.asScala
        .foreach(Files.setLastModifiedTime(_, FileTime.fromMillis(0)))
      table.now += 9 * day
      table.vacuum()
      assert(table.onDisk == kept + "leaf=0/ab")
      assert(Files.exists(logFolder(table.folder).resolve("stranger")))
      assert((0L to 3L).forall(v => Files.exists(entryFile(table.folder, v))))
      assert(fresh(table.folder).snapshot().files.length == 1)
    }
  }

  test("what a killed commit left in the log goes when it is old, and not before") {
    withTable { table =>
      def temporary(of: String, at: Long): String = {
        val path = s"${LogNames.Folder}/${LogNames.temporary(of)}"
        table.write(path, at)
        path
      }
      table.now += 9 * day
      val cutoff = table.now - 7 * day
      val old =
        Set(temporary(LogNames.entry(3), cutoff), temporary(LogNames.checkpoint(2), cutoff))
      val young = temporary(LogNames.entry(3), cutoff + 1)
      val data = Set("leaf=0/a", "leaf=1/b", orphan)
      def left = (old + young).filter(path => Files.exists(table.folder.resolve(path)))
      assert(table.vacuum(dryRun = true).orphans.map(_.path).toSet == data ++ old)
      assert(left == old + young)
      assert(table.vacuum().removed.toSet == data ++ old)
      assert(left == Set(young))
      assert((0L to 3L).forall(v => Files.exists(entryFile(table.folder, v))))
      assert(paths(fresh(table.folder).snapshot()) == Set("leaf=0/ab"))
    }
  }

  test("a version that was the newest when the retention began can still be read") {
    inFolder { folder =>
      val table = new Table(folder)
      create(table.log)
      table.commit(Append, table.write("a"))
      table.now += 30 * day
      table.commit(Overwrite(), gone("a"), table.write("b"))
      table.now += day
      // Version 1 was there seven days ago, though it is a month old.
      assert(table.vacuum().orphans.isEmpty)
      assert(paths(table.log.snapshot(table.log.versionAt(table.now - 7 * day))) == Set("a"))
      table.now += 7 * day
      assert(table.vacuum().removed == Seq("a"))
      intercept[VersionVacuumed](table.log.snapshot(1))
    }
  }

  test("a file that a vacuum took for an orphan cannot be committed any more") {
    withTable { table =>
      val slow = table.write(slowFile)
      table.now += 9 * day
      assert(table.vacuum().removed.contains(slowFile))
      val e = intercept[InvalidCommit](table.commit(Append, slow))
      assert(e.getMessage.contains(slowFile) &&
        e.getMessage.contains("vacuum"))
      // Neither by a writer that read the table before the vacuum.
      val conflict = intercept[ConcurrentChange](table.log.commit(2, Seq(slow, who()), Append))
      assert(conflict.getMessage.contains("it was a vacuum"))
      table.commit(Append, table.write("leaf=0/new"))
    }
  }

  test("a writer that commits while the vacuum lists keeps its files") {
    withTable { table =>
      val late = table.write(lateFile)
      table.now += 9 * day
      val store = new LyingStore(new LocalLogStore(logFolder(table.folder)))
      store.beforePut = () => {
        store.beforePut = () => ()
        table.commit(Append, late)
      }
      val log = new TableLog(pathOf(table.folder), store, () => table.now, LogUpkeep.atOnce)
      val report = Vacuum(log, table.fs)
      assert(report.removed.toSet == Set("leaf=0/a", "leaf=1/b", orphan))
      assert(table.onDisk == Set("leaf=0/ab", lateFile))
      assert(paths(table.log.snapshot()) == Set("leaf=0/ab", lateFile))
    }
  }

  test("killed before or after the commit, the next one finishes") {
    withTable { table =>
      table.now += 9 * day
      for (at <- 0 until 60) {
        val store = new CrashingStore(new LocalLogStore(logFolder(table.folder)), at)
        val log = new TableLog(pathOf(table.folder), store, () => table.now, LogUpkeep.atOnce)
        SnapshotCache.forget(pathOf(table.folder).toString)
        try Vacuum(log, table.fs)
        catch { case _: Crash => () }
        assert(table.onDisk.contains("leaf=0/ab"))
        assert(paths(table.log.snapshot()) == Set("leaf=0/ab"))
      }
      table.vacuum()
      assert(table.onDisk == Set("leaf=0/ab"))
    }
  }

  test("a retention that is too short, unless nobody else is there") {
    withTable { table =>
      val e = intercept[RetentionTooShort](table.vacuum(retention = hour - 1))
      assert(e.getMessage.contains("3600000"))
      intercept[RetentionTooShort](table.vacuum(retention = -1, alone = true))
      table.now += 1
      table.vacuum(retention = 0, alone = true)
      assert(table.onDisk == Set("leaf=0/ab"))
    }
  }

  test("a table below a folder with odd letters") {
    inFolder { folder =>
      val odd = Files.createDirectory(folder.resolve("a b"))
      val table = new Table(odd)
      create(table.log)
      table.commit(Append, table.write("leaf=0/x y ü"))
      table.write(orphan)
      table.now += 9 * day
      val log = TableLog.open(new Path(odd.toUri), new Configuration())
      assert(paths(log.snapshot()) == Set("leaf=0/x y ü"))
      assert(table.vacuum().removed == Seq(orphan))
      assert(table.onDisk == Set("leaf=0/x y ü"))
    }
  }
}
