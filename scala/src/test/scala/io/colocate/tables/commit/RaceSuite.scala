package io.colocate.tables.commit

import java.nio.file.{Files, Path => NioPath}

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.format.{Isolation, LocalLogStore, LogNames}
import io.colocate.testing.{EveryOther, Nightly}

/** Real processes on one local disk: locks within one JVM would not help them. */
class RaceSuite extends AnyFunSuite with LogFixture with EveryOther {

  private val names = Racer.names

  private def race(mode: String, folder: NioPath, count: Int): Unit = {
    val codes = Racer.run(mode, folder, names, count.toString)
    def output = names.map(name => Files.readString(folder.resolve(s"output-$name"))).mkString("\n")
    assert(codes == Seq(0, 0), output)
  }

  test("two processes put the same 3000 versions: each is put once, by whom it says") {
    inFolder { folder =>
      race("store", folder, 3000)
      val won = names.map(name => name -> Racer.won(folder, name).toSet).toMap
      assert(won("one").intersect(won("two")).isEmpty)
      assert(won("one") ++ won("two") == (0 until 3000).map(v => LogNames.entry(v.toLong)).toSet)
      for ((name, files) <- won; file <- files)
        assert(Files.readString(logFolder(folder).resolve(file)) == name)
      val winners = (0 until 3000).map(v => won("one")(LogNames.entry(v.toLong)))
      val changes = winners.zip(winners.tail).count { case (a, b) => a != b }
      info(s"the winner changed $changes times")
      assert(changes >= 30, "they did not race")
      assert(new LocalLogStore(logFolder(folder)).list().length == 3000)
    }
  }

  private val Appends = Nightly.count(night = 1000, day = 200)

  test("two processes commit many appends each: none is lost, none is there twice") {
    inFolder { folder =>
      create(open(folder))
      race("table", folder, Appends)
      val log = fresh(folder)
      assert(log.latestVersion == 2 * Appends)
      assert(paths(log.snapshot()) ==
        (for (name <- names; i <- 0 until Appends) yield s"$name-$i").toSet)
      val claimed = names.flatMap(Racer.won(folder, _)).map(_.split(' ')).map {
        case Array(version, file) => version.toLong -> file
      }.toMap
      assert(claimed.keySet == (1L to 2L * Appends).toSet)
      val authors = (1L to 2L * Appends).map(claimed(_).takeWhile(_ != '-'))
      val changes = authors.zip(authors.tail).count { case (a, b) => a != b }
      info(s"the author changed $changes times")
      assert(changes >= 30, "they did not race")
      for (version <- Seq(1L, 2L, 377L, 2L * Appends - 1, 2L * Appends)) {
        val before = paths(log.snapshot(version - 1))
        assert(paths(log.snapshot(version)) -- before == Set(claimed(version)))
      }
      // Versions are in the order of their times, whatever the clocks said.
      val times = log.history.map(_.info.time).toSeq
      assert(times == times.distinct.sorted.reverse)
    }
  }

  test("threads share a log: none of their commits is lost") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      val threads =
        (1 to 4).map(t => new Thread(() => (1 to 50).foreach(i => append(log, s"$t-$i"))))
      threads.foreach(_.start())
      threads.foreach(_.join())
      assert(log.latestVersion == 200)
      val all = for (t <- 1 to 4; i <- 1 to 50) yield s"$t-$i"
      assert(paths(log.snapshot()) == all.toSet && paths(fresh(folder).snapshot()) == all.toSet)
    }
  }

  test("a reader sees all rows once while layouts are committed") {
    inFolder { folder =>
      val log = open(folder)
      create(log)
      append(log, "a0", "b0")
      @volatile var writing = true
      var seen = Set.empty[Long]
      val sums = scala.collection.mutable.Set.empty[Long]
      val reader = new Thread(() =>
        while (writing) {
          val snapshot = open(folder).snapshot()
          seen += snapshot.version
          sums += snapshot.files.totalRows
        })
      reader.start()
      for (i <- 0 until 200)
        log.commit(i + 1L,
          Seq("a", "b").flatMap(name =>
            Seq(gone(s"$name$i", dataChange = false),
              file(s"$name${i + 1}", dataChange = false))) :+ who(), Isolation.Layout)
      writing = false
      reader.join()
      assert(sums == Set(20L) && seen.size > 10)
    }
  }

  for ((step, done) <- Seq("created" -> false, "written" -> false, "linked" -> true,
      "synced" -> true)) {
    test(s"a process that dies when its entry is $step leaves ${if (done) "all" else "nothing"}") {
      inFolder { folder =>
        val log = open(folder)
        create(log)
        append(log, "before")
        assert(Racer.run("halt", folder, Seq("dying"), step) == Seq(9))
        val expected = Set("before") ++ Option.when(done)("dying")
        assert(paths(fresh(folder).snapshot()) == expected)
        append(fresh(folder), "after")
        assert(paths(fresh(folder).snapshot()) == expected + "after")
      }
    }
  }
}
