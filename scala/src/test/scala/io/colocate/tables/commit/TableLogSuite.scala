package io.colocate.tables.commit

import java.io.{InputStream, OutputStream}
import java.nio.file.{Files, Path => NioPath}
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS
import java.util.zip.GZIPOutputStream

import scala.util.Using

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types.{Metadata => _, _}

import io.colocate.tables.format.{ColumnStats, CommitInfo, EntryFile, FutureFormat, LocalLogStore, LogDamaged, LogHole, LogNames, Protocol, StreamBatch, TableNotFound, TimestampTooEarly, TreeAdded, TreeRemoved, Vacuumed, VersionNotFound}
import io.colocate.tables.format.Isolation.{Append, Layout, Overwrite}
import io.colocate.tables.snapshot.{Snapshot, SnapshotCache}
import io.colocate.tables.tree.Leaf

class TableLogSuite extends AnyFunSuite with LogFixture {

  /** A table of `count` appends, f1 and so on, one to a version. */
  private def withTable(count: Int)(test: NioPath => Unit): Unit = inFolder { folder =>
    val log = open(folder)
    create(log)
    (1 to count).foreach(i => append(log, s"f$i"))
    test(folder)
  }

  private def files(from: Int, to: Int): Set[String] = (from to to).map(i => s"f$i").toSet

  test("a table that is not there") {
    inFolder { folder =>
      Files.writeString(folder.resolve("something.txt"), "else")
      val log = open(folder)
      assert(!log.exists)
      for (call <- Seq(() => log.latestVersion, () => log.snapshot(), () => log.snapshot(0),
          () => log.versionAt(0), () => log.history)) {
        val e = intercept[TableNotFound](call())
        assert(e.getMessage.contains(folder.toString) && e.getMessage.contains("_robust_log"))
      }
    }
  }

  test("a new table: protocol, metadata, trees, who") {
    inFolder { folder =>
      val log = open(folder)
      assert(create(log) == 0 && log.exists)
      val now = log.snapshot()
      assert(now.protocol == Protocol.Current && now.metadata == metadata && now.schema == schema)
      assert(now.trees == Seq(tree) && now.tree(0).contains(tree) && now.files.isEmpty)
      assert(now.info.operation == "CREATE" && now.info.user.nonEmpty && now.info.time > 0)
      assert(now.info.engine.contains("Spark"))
    }
  }

  test("every version is what it was, with and without what is remembered") {
    withTable(25) { folder =>
      for (version <- Seq(0, 1, 9, 10, 11, 25); log <- Seq(open(folder), fresh(folder))) {
        assert(log.snapshot(version).version == version)
        assert(paths(log.snapshot(version)) == files(1, version))
      }
      val e = intercept[VersionNotFound](open(folder).snapshot(26))
      assert(e.getMessage.contains("no version 26; accepted: 0 to 25"))
      intercept[VersionNotFound](open(folder).snapshot(-1))
    }
  }

  test("a snapshot is the same from the log, from a checkpoint and from an older snapshot") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      append(log, "a", "b")
      log.commit(1,
        Seq(TreeAdded(treeOf(1, tree.root, tree.root)), StreamBatch("q", 3), file("x", leaf = None),
          metadata.copy(schema = schema.add("n", LongType)), who()), Append)
      log.commit(2,
        Seq(gone("a"), Vacuumed(0, 0), StreamBatch("q", 4),
          file("c").copy(stats = Map("n" -> ColumnStats(None, None, 3, 0, bounded = true))),
          who("E", Map("k" -> "v"))), Overwrite())
      (4 to 10).foreach(i => append(log, s"f$i"))
      def seen(snapshot: Snapshot) =
        (snapshot.info, snapshot.protocol, snapshot.metadata, snapshot.trees, snapshot.files.toSet,
          snapshot.batches, snapshot.vacuumed, snapshot.freeTreeId)
      val remembered = seen(open(folder).snapshot())
      assert(seen(fresh(folder).snapshot()) == remembered)
      Files.delete(checkpointFile(folder, 10))
      assert(seen(fresh(folder).snapshot()) == remembered)
      assert(remembered._6 == Map("q" -> 4L))
    }
  }

  test("the id of a tree that was removed stays taken: from the log and from a checkpoint") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      log.commit(0, Seq(TreeAdded(treeOf(7, Leaf(0), Leaf(1))), who()), Layout)
      log.commit(1, Seq(TreeRemoved(7), who()), Layout)
      (3 to 12).foreach(i => append(log, s"f$i"))
      for (read <- Seq(open(folder), fresh(folder))) {
        val snapshot = read.snapshot()
        assert(snapshot.trees.map(_.id) == Seq(0) && snapshot.freeTreeId == 8)
        assert(snapshot.files.forall(_.leaf.contains(0)))
      }
    }
  }

  test("a checkpoint of a release that did not keep removed trees is read by its trees") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      log.commit(0, Seq(TreeAdded(treeOf(7, Leaf(0), Leaf(1))), who()), Layout)
      log.commit(1, Seq(TreeRemoved(7), who()), Layout)
      (3 to 12).foreach(i => append(log, s"f$i"))
      val actions = log.snapshot(10).actions.filterNot(_.isInstanceOf[TreeRemoved])
      Using.resource(new GZIPOutputStream(Files.newOutputStream(checkpointFile(folder, 10))))(
        EntryFile.write(_, actions, metadata.types.get))
      val snapshot = fresh(folder).snapshot()
      assert(paths(snapshot) == files(3, 12) && snapshot.freeTreeId == 1)
    }
  }

  test("the table is dropped while a commit is on its way: nothing of it is left") {
    inFolder { folder =>
      val store = new LyingStore(new LocalLogStore(logFolder(folder)))
      val log = open(folder, store)
      create(log)
      store.onExists = () => FileUtils.deleteQuietly(logFolder(folder).toFile)
      intercept[TableNotFound](append(log, "a"))
      assert(!Files.exists(logFolder(folder)))
    }
  }

  private def who(operation: String, parameters: Map[String, String]): CommitInfo =
    CommitInfo(operation, parameters)

  private def lastCheckpoint(folder: NioPath): NioPath =
    logFolder(folder).resolve(LogNames.LastCheckpoint)

  test("a checkpoint for every ten versions") {
    withTable(25) { folder =>
      val names = new LocalLogStore(logFolder(folder)).list().toSet
      assert(names.filter(_.contains("checkpoint")) ==
        Set(10L, 20L).map(LogNames.checkpoint) + LogNames.LastCheckpoint)
      assert(names.size == 26 + 2 + 1)
    }
  }

  for ((how, harm) <- Seq[(String, NioPath => Unit)]("lost" -> (Files.delete(_)),
      "empty" -> (Files.write(_, Array.emptyByteArray)),
      "cut" -> (f => Files.write(f, Files.readAllBytes(f).dropRight(20))),
      "turned" -> (f => {
        val bytes = Files.readAllBytes(f)
        bytes(bytes.length / 2) = (bytes(bytes.length / 2) ^ 8).toByte
        Files.write(f, bytes)
      }))) {
    test(s"a checkpoint that is $how loses nothing") {
      withTable(25) { folder =>
        harm(checkpointFile(folder, 20))
        assert(paths(fresh(folder).snapshot()) == files(1, 25))
        harm(checkpointFile(folder, 10))
        assert(paths(fresh(folder).snapshot()) == files(1, 25))
        (26 to 31).foreach(i => append(open(folder), s"f$i"))
        assert(paths(fresh(folder).snapshot()) == files(1, 31))
      }
    }
  }

  test("a checkpoint is used: the entries before it are not read") {
    withTable(12) { folder =>
      Files.writeString(entryFile(folder, 3), "damaged")
      assert(paths(fresh(folder).snapshot()) == files(1, 12))
      Files.delete(checkpointFile(folder, 10))
      val e = intercept[LogDamaged](fresh(folder).snapshot())
      assert(e.getMessage.contains(LogNames.entry(3)) && e.getMessage.contains("version 3"))
    }
  }

  for (missing <- Seq(0, 4, 8, 11); known <- Seq(true, false) if !known || missing > 10) {
    val which = if (known) "a known" else "no"
    test(
      s"a hole at version $missing with $which checkpoint is an error, for readers and writers") {
      withTable(12) { folder =>
        Files.delete(entryFile(folder, missing.toLong))
        if (!known) {
          Files.delete(checkpointFile(folder, 10))
          Files.delete(lastCheckpoint(folder))
        }
        for (call <- Seq[TableLog => Any](_.snapshot(), _.snapshot(2), _.latestVersion,
            append(_, "x"))) {
          val e = intercept[LogHole](call(fresh(folder)))
          Seq(LogNames.entry(missing.toLong), s"version $missing", folder.toString).foreach(part =>
            assert(e.getMessage.contains(part)))
          assert(e.getCondition == "COLOCATE_TABLE_LOG_HOLE")
        }
        assert(!Files.exists(entryFile(folder, missing.toLong)))
      }
    }
  }

  test("a hole before the last checkpoint is met by who reads that version, and by nobody else") {
    withTable(12) { folder =>
      Files.delete(entryFile(folder, 4))
      assert(paths(fresh(folder).snapshot()) == files(1, 12))
      append(fresh(folder), "f13")
      assert(fresh(folder).latestVersion == 13)
      for (call <- Seq[TableLog => Any](_.snapshot(5), _.history.toSeq, _.versionAt(0L)))
        assert(intercept[LogHole](call(fresh(folder))).getMessage.contains("version 4"))
    }
  }

  test("a long log is opened without being listed") {
    withTable(25) { folder =>
      var listed = 0
      val store = new LyingStore(new LocalLogStore(logFolder(folder))) {
        override def list(): Seq[String] = {
          listed += 1
          super.list()
        }
      }
      SnapshotCache.forget(pathOf(folder).toString)
      assert(paths(open(folder, store).snapshot()) == files(1, 25))
      append(open(folder, store), "f26")
      assert(open(folder, store).snapshot().version == 26 && listed == 0)
      // Without the name of the last checkpoint it has to be found.
      Files.delete(lastCheckpoint(folder))
      SnapshotCache.forget(pathOf(folder).toString)
      assert(open(folder, store).snapshot().version == 26 && listed > 0)
    }
  }

  test("a table that has not changed is opened again with four questions to the store") {
    withTable(25) { folder =>
      var asked = Seq.empty[String]
      val store = new LyingStore(new LocalLogStore(logFolder(folder))) {
        override def list(): Seq[String] = fail("it was listed")
        override def exists(name: String): Boolean = {
          asked :+= s"is $name there"
          super.exists(name)
        }
        override def open(name: String): InputStream = {
          asked :+= s"what is in $name"
          super.open(name)
        }
      }
      open(folder, store).snapshot()
      asked = Nil
      assert(open(folder, store).snapshot().version == 25)
      assert(asked == Seq(s"what is in ${LogNames.entry(25)}",
        s"what is in ${LogNames.LastCheckpoint}", s"is ${LogNames.entry(26)} there",
        s"is ${LogNames.entry(27)} there"))
    }
  }

  test("no commit waits for a checkpoint, which is written all the same") {
    withTable(9) { folder =>
      val returned = new CountDownLatch(1)
      @volatile var waited = false
      val store = new LyingStore(new LocalLogStore(logFolder(folder))) {
        override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
          if (name == LogNames.checkpoint(10)) waited = returned.await(60, SECONDS)
          super.putIfAbsent(name)(write)
        }
      }
      append(new TableLog(pathOf(folder), store), "f10")
      returned.countDown()
      val written = new CountDownLatch(1)
      LogUpkeep.background.execute(() => written.countDown())
      written.await()
      assert(waited && Files.exists(checkpointFile(folder, 10)))
      assert(Files.readString(lastCheckpoint(folder)) == "10\n")
    }
  }

  for ((how, text) <- Seq("empty" -> "", "cut" -> "2", "no number" -> "twenty\n",
      "an older one" -> "10\n", "not there" -> "90\n"))
    test(s"a name of the last checkpoint that is $how costs time alone") {
      withTable(25) { folder =>
        Files.writeString(lastCheckpoint(folder), text)
        assert(paths(fresh(folder).snapshot()) == files(1, 25))
      }
    }

  test("the last version is missing, and a checkpoint knows it") {
    withTable(10) { folder =>
      Files.delete(entryFile(folder, 10))
      assert(intercept[LogHole](fresh(folder).snapshot()).getMessage.contains("version 10"))
      // Without the checkpoint nobody can tell.
      Files.delete(checkpointFile(folder, 10))
      Files.delete(lastCheckpoint(folder))
      assert(fresh(folder).snapshot().version == 9)
    }
  }

  test("a listing that misses a version which is there is not believed") {
    withTable(12) { folder =>
      val inner = new LocalLogStore(logFolder(folder))
      val store = new LyingStore(inner) {
        override def list(): Seq[String] = inner.list().filterNot(_ == LogNames.entry(5))
      }
      SnapshotCache.forget(pathOf(folder).toString)
      assert(paths(open(folder, store).snapshot()) == files(1, 12))
    }
  }

  test("an entry of the future stops readers and writers at it, not before it") {
    withTable(2) { folder =>
      Files.writeString(entryFile(folder, 3), """{"protocol":{"formatVersion":2}}""" + "\n")
      for (call <- Seq[TableLog => Any](_.snapshot(), append(_, "x"))) {
        val e = intercept[FutureFormat](call(fresh(folder)))
        assert(e.getMessage.contains(LogNames.entry(3)) && e.getMessage.contains("version 3"))
      }
      intercept[FutureFormat](open(folder).commit(2, Seq(file("x"), who()), Append))
      assert(!Files.exists(entryFile(folder, 4)))
    }
  }

  test("a table that was deleted and made again is not mixed up with the old one") {
    withTable(5) { folder =>
      assert(paths(open(folder).snapshot()) == files(1, 5))
      org.apache.commons.io.FileUtils.deleteDirectory(logFolder(folder).toFile)
      val log = open(folder)
      create(log)
      (1 to 7).foreach(i => append(log, s"new$i"))
      assert(paths(open(folder).snapshot()) == (1 to 7).map(i => s"new$i").toSet)
    }
  }

  test("time travel: the version that was there then") {
    inFolder { folder =>
      var now = 1000L
      val log = open(folder, () => now)
      create(log)
      (1 to 12).foreach { i =>
        now = 1000L + i * 100
        append(log, s"f$i")
      }
      for ((time, version) <- Seq(1000L -> 0, 1099L -> 0, 1100L -> 1, 1101L -> 1, 1650L -> 6,
          2199L -> 11, 2200L -> 12, Long.MaxValue -> 12)) assert(log.versionAt(time) == version)
      val e = intercept[TimestampTooEarly](log.versionAt(999L))
      assert(e.getMessage.contains("1970-01-01T00:00:00.999Z"))
      assert(e.getMessage.contains("1970-01-01T00:00:01Z"))
    }
  }

  test("a clock that goes back: later versions are later all the same") {
    inFolder { folder =>
      var now = 1000L
      val log = open(folder, () => now)
      create(log)
      append(log, "a")
      now = 10L
      append(log, "b")
      now = 5000L
      append(log, "c")
      assert(log.history.map(_.info.time).toSeq == Seq(5000L, 1002L, 1001L, 1000L))
    }
  }

  test("history, newest first: who, when, what, how much") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      log.commit(0,
        Seq(file("a"),
          CommitInfo("WRITE", Map("mode" -> "append"), Map("rows" -> 10L), user = "ada")), Append)
      val Seq(newest, oldest) = log.history.toSeq
      assert(newest.version == 1 && oldest.version == 0 && oldest.info.operation == "CREATE")
      val CommitInfo(operation, parameters, metrics, user, _, time, id) = newest.info
      assert(operation == "WRITE" && parameters == Map("mode" -> "append"))
      assert(metrics == Map("rows" -> 10L) && user == "ada" && time >= oldest.info.time)
      assert(id != oldest.info.id && id.nonEmpty)
    }
  }

  test("a reader that holds a version is not touched by what is committed") {
    withTable(2) { folder =>
      val log = open(folder)
      val pinned = log.snapshot()
      log.commit(2,
        Seq(gone("f1", dataChange = false), gone("f2", dataChange = false),
          file("both", rows = 20, dataChange = false), who()), Layout)
      log.commit(3, Seq(gone("both"), who()), Overwrite())
      assert(paths(pinned) == files(1, 2) && pinned.files.totalRows == 20)
      assert(log.snapshot().files.isEmpty && paths(log.snapshot(2)) == files(1, 2))
    }
  }

  test("the same version twice is one snapshot, and one more reads one entry") {
    withTable(3) { folder =>
      val log = open(folder)
      val first = log.snapshot()
      assert(log.snapshot() eq first)
      assert(open(folder).snapshot() eq first)
      append(log, "f4")
      Files.writeString(entryFile(folder, 2), "not read any more")
      assert(paths(open(folder).snapshot()) == files(1, 4))
      Files.writeString(entryFile(folder, 4), "not readable")
      intercept[LogDamaged](open(folder).snapshot())
    }
  }
}
