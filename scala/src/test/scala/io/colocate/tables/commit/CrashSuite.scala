package io.colocate.tables.commit

import java.nio.file.{Path => NioPath}

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.format.{Action, CommitFailed, CommitUnknown, Isolation, LocalLogStore, LogNames}
import io.colocate.tables.snapshot.SnapshotCache

class CrashSuite extends AnyFunSuite with LogFixture {

  /** What commits there are, on a table of files a and b; and the files afterwards. */
  private val commits: Seq[(String, Seq[Action], Isolation, Set[String])] =
    Seq(("append", Seq(file("c"), file("d")), Isolation.Append, Set("a", "b", "c", "d")),
      ("layout",
      Seq(gone("a", dataChange = false), gone("b", dataChange = false),
        file("ab", rows = 20, dataChange = false)), Isolation.Layout, Set("ab")),
      ("overwrite", Seq(gone("a"), gone("b"), file("c")), Isolation.Overwrite(), Set("c")),
      ("new column", Seq(metadata.copy(schema = schema.add("n", "int"))), Isolation.Append,
      Set("a", "b")))

  /** @param versions before the commit; with 9 of them the commit writes a checkpoint too */
  private def prepare(folder: NioPath, versions: Int): Unit = {
    val log = open(folder)
    create(log)
    append(log, "a", "b")
    (3 to versions).foreach(i => log.commit(log.latestVersion, Seq(who(s"$i")), Isolation.Append))
    // One entry stands before another.
    assert(log.latestVersion == versions - 1)
  }

  for ((name, actions, isolation, after) <- commits; versions <- Seq(2, 10)) {
    test(s"$name, killed at every step, $versions versions before") {
      val outcomes = LazyList.from(0).map { at =>
        inFolder { folder =>
          prepare(folder, versions)
          val pinned = fresh(folder).snapshot()
          SnapshotCache.forget(pathOf(folder).toString)
          val store = new CrashingStore(new LocalLogStore(logFolder(folder)), at)
          try open(folder, store).commit(pinned.version, actions :+ who(), isolation)
          catch { case _: Crash => () }
          val log = fresh(folder)
          val now = log.snapshot()
          val done = now.version == versions
          assert(done || now.version == versions - 1)
          assert(paths(now) == (if (done) after else Set("a", "b")), s"at step $at")
          assert(paths(pinned) == Set("a", "b"))
          assert(paths(log.snapshot(versions - 1L)) == Set("a", "b"))
          append(log, "next")
          assert(paths(fresh(folder).snapshot()) == paths(now) + "next")
          (store.crashed, done)
        }
      }
      val (crashed, whole) = outcomes.span(_._1)
      assert(crashed.length >= 5 && whole.head == (false, true))
      // Once it is done it stays done, and some crash came before, some after.
      assert(crashed.map(_._2) == crashed.map(_._2).sorted)
      assert(crashed.map(_._2).distinct.length == 2)
    }
  }

  test("making the table, killed at every step") {
    val outcomes = LazyList.from(0).map { at =>
      inFolder { folder =>
        val store = new CrashingStore(new LocalLogStore(logFolder(folder)), at)
        try create(open(folder, store))
        catch { case _: Crash => () }
        val log = fresh(folder)
        val done = log.exists
        if (!done) create(log)
        assert(log.snapshot().version == 0 && log.snapshot().metadata == metadata)
        (store.crashed, done)
      }
    }
    val (crashed, whole) = outcomes.span(_._1)
    assert(whole.head == (false, true) && crashed.map(_._2).distinct == Seq(false, true))
  }

  private def lying(test: (TableLog, LyingStore) => Unit): Unit = inFolder { folder =>
    val store = new LyingStore(new LocalLogStore(logFolder(folder)))
    val log = open(folder, store)
    create(log)
    test(log, store)
  }

  test("a put that failed and did its work is found, and done once") {
    lying { (log, store) =>
      store.afterPut = _ => LyingStore.fail()
      assert(append(log, "a") == 1)
      store.afterPut = identity
      assert(log.latestVersion == 1 && paths(log.snapshot()) == Set("a"))
    }
  }

  test("a put that says it lost, and had won, is found, and done once") {
    lying { (log, store) =>
      store.afterPut = _ => false
      assert(append(log, "a") == 1)
      assert(log.latestVersion == 1 && paths(log.snapshot()) == Set("a"))
    }
  }

  test("a put that failed and did nothing is an error, with the file and the version") {
    lying { (log, store) =>
      store.beforePut = () => LyingStore.fail()
      val e = intercept[CommitFailed](append(log, "a"))
      Seq("version 1", LogNames.entry(1), "network").foreach(part =>
        assert(e.getMessage.contains(part)))
      assert(log.latestVersion == 0)
    }
  }

  test("a put of which nothing is known is an error of its own") {
    lying { (log, store) =>
      store.beforePut = () => {
        store.onExists = () => LyingStore.fail()
        LyingStore.fail()
      }
      val e = intercept[CommitUnknown](append(log, "a"))
      assert(e.getMessage.contains("version 1") && e.getMessage.contains("history"))
    }
  }

  test("a writer that loses thirty times goes on") {
    lying { (log, store) =>
      var others = 0
      store.beforePut = () => {
        val mine = store.beforePut
        store.beforePut = () => ()
        others += 1
        append(log, s"other$others")
        if (others < 30) store.beforePut = mine
      }
      assert(append(log, "mine") == 31)
      assert(log.snapshot().files.length == 31)
    }
  }

  test("a checkpoint that cannot be written loses nothing") {
    lying { (log, store) =>
      (1 to 9).foreach(i => append(log, s"f$i"))
      var puts = 0
      store.beforePut = () => {
        puts += 1
        if (puts == 2) LyingStore.fail()
      }
      assert(append(log, "f10") == 10 && puts == 2)
      assert(append(log, "f11") == 11)
      assert(log.snapshot().files.length == 11)
    }
  }
}
