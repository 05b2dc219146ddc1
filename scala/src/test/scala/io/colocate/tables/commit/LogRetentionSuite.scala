package io.colocate.tables.commit

import java.nio.file.{Files, Path => NioPath}
import java.util.concurrent.TimeUnit.HOURS

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.format.{Isolation, LocalLogStore, LogNames, Metadata, TimestampTooEarly, VersionExpired}
import io.colocate.tables.snapshot.{LogFiles, SnapshotCache}

/** A log tells of old versions as long as its retention, and then no more. A version an hour is committed. */
class LogRetentionSuite extends AnyFunSuite with LogFixture {

  private var now = 0L

  private def log(folder: NioPath): TableLog =
    new TableLog(pathOf(folder), new LocalLogStore(logFolder(folder)), () => now, LogUpkeep.atOnce)

  /** Versions 0 to `versions`, each an hour after the one before. */
  private def withHours(versions: Int, hours: Option[Int])(body: NioPath => Unit): Unit =
    inFolder { folder =>
      now = HOURS.toMillis(1)
      val options = hours.map(h => "logRetentionHours" -> h.toString).toMap
      create(log(folder), metadata.copy(options = metadata.options ++ options))
      (1 to versions).foreach(next(folder, _))
      body(folder)
    }

  private def next(folder: NioPath, version: Int): Unit = {
    now += HOURS.toMillis(1)
    append(log(folder), s"f$version")
  }

  private def entries(folder: NioPath): Seq[Long] = {
    val listed = Files.list(logFolder(folder))
    try LogNames.entries(listed.iterator.asScala.map(_.getFileName.toString).toSeq).toSeq
    finally listed.close()
  }

  private def all(versions: Int): Set[String] = (1 to versions).map(i => s"f$i").toSet

  private def unread(folder: NioPath): TableLog = {
    SnapshotCache.forget(pathOf(folder).toString)
    log(folder)
  }

  test("what is older than the retention goes, but for the two last checkpoints before it") {
    withHours(100, Some(48)) { folder =>
      // Version 52 was the newest 48 hours ago; 50 and 40 are the checkpoints before it.
      assert(entries(folder) == (40L to 100L))
      assert(paths(unread(folder).snapshot()) == all(100))
      assert(paths(unread(folder).snapshot(52)) == all(52))
      assert(paths(unread(folder).snapshot(40)) == all(40))
      val e = intercept[VersionExpired](unread(folder).snapshot(39))
      Seq("version 39", "40 to 100").foreach(part => assert(e.getMessage.contains(part)))
      assert(unread(folder).history.map(_.version).toSeq == (40L to 100L).reverse)
      assert(unread(folder).versionAt(now - HOURS.toMillis(48)) == 52)
      intercept[TimestampTooEarly](unread(folder).versionAt(HOURS.toMillis(30)))
    }
  }

  test("nothing goes within the retention, which is 30 days where nobody says otherwise") {
    assert(Metadata.LogRetentionHours == 30 * 24)
    for (hours <- Seq(None, Some(200)))
      withHours(100, hours)(folder => assert(entries(folder) == (0L to 100L)))
  }

  test("commits go on, and once in a hundred versions the log is looked through again") {
    withHours(100, Some(48)) { folder =>
      (101 to 199).foreach(next(folder, _))
      assert(entries(folder) == (40L to 199L))
      next(folder, 200)
      assert(entries(folder) == (140L to 200L) && paths(unread(folder).snapshot()) == all(200))
    }
  }

  test("a checkpoint that cannot be read keeps the entries that stand for it") {
    withHours(99, Some(48)) { folder =>
      Files.writeString(checkpointFile(folder, 50), "damaged")
      next(folder, 100)
      assert(entries(folder) == (0L to 100L) && paths(unread(folder).snapshot(51)) == all(51))
    }
  }

  test("removed halfway, the log can be read, and the rest goes the next time") {
    withHours(100, None) { folder =>
      for (at <- Seq(0, 3, 17, 40, 70)) {
        val store = new CrashingStore(new LocalLogStore(logFolder(folder)), at)
        val files = new LogFiles(store)
        try LogRetention(files)(_ => Some(52))
        catch { case _: Crash => () }
        assert(paths(unread(folder).snapshot()) == all(100), at)
        assert(paths(unread(folder).snapshot(52)) == all(52), at)
        assert(entries(folder).last == 100 && entries(folder).length == 101 - entries(folder).head)
      }
    }
  }

  test("the log is listed once for it") {
    for (hours <- Seq(Some(48), None))
      withHours(99, hours) { folder =>
        var lists = 0
        val store = new LyingStore(new LocalLogStore(logFolder(folder))) {
          override def list(): Seq[String] = {
            lists += 1
            super.list()
          }
        }
        now += HOURS.toMillis(1)
        val removed = new TableLog(pathOf(folder), store, () => now, LogUpkeep.atOnce).expire()
        assert(lists == 1 && removed.nonEmpty == hours.nonEmpty)
      }
  }

  test("a writer that began before the removed versions does not commit on top of them unseen") {
    withHours(100, Some(48)) { folder =>
      intercept[VersionExpired](log(folder).commit(10, Seq(file("late"), who("WRITE")),
        Isolation.Append))
      assert(entries(folder).last == 100)
    }
  }
}
