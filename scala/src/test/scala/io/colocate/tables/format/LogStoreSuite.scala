package io.colocate.tables.format

import java.io.{FileNotFoundException, OutputStream}
import java.nio.file.{Files, Path => NioPath}

import scala.concurrent.duration.DurationInt

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.commit.{ConditionalFileSystem, Hdfs, LogFixture, PlainFileSystem, S3, TableLog}

class LogStoreSuite extends AnyFunSuite with LogFixture with Eventually {

  private val conf = new Configuration()
  conf.set("fs.plain.impl", classOf[PlainFileSystem].getName)
  conf.set("fs.conditional.impl", classOf[ConditionalFileSystem].getName)

  private def of(scheme: String, folder: NioPath, singleWriter: Boolean = false): LogStore =
    LogStore(new Path(s"$scheme://$folder/log"), conf, singleWriter)

  private val kinds: Seq[(String, NioPath => LogStore)] = Seq("local" -> (of("file", _)),
    "rename" -> (folder =>
      new RenameLogStore(FileSystem.getLocal(conf), new Path(s"file://$folder/log"))),
    "hdfs" -> (folder => LogStore(new Path(s"${Hdfs.uri}$folder/log"), conf, singleWriter = false)),
    "s3" -> (folder => LogStore(new Path(s"${S3.uri}$folder/log"), S3.conf, singleWriter = false)),
    "conditional" -> (of("conditional", _)),
    "single writer" -> (of("plain", _, singleWriter = true)))

  private def put(store: LogStore, name: String, text: String): Boolean =
    store.putIfAbsent(name)(_.write(text.getBytes("UTF-8")))

  private def read(store: LogStore, name: String): String = {
    val in = store.open(name)
    try new String(in.readAllBytes(), "UTF-8")
    finally in.close()
  }

  private def visible(store: LogStore): Set[String] =
    store.list().filterNot(_.startsWith(".")).toSet

  for ((kind, make) <- kinds) {
    test(s"$kind: the first one puts, the second finds it there") {
      inFolder { folder =>
        val store = make(folder)
        assert(store.list().isEmpty && !store.exists("a"))
        assert(put(store, "a", "first"))
        assert(!put(store, "a", "second"))
        assert(put(store, "b", ""))
        assert(read(store, "a") == "first" && read(store, "b") == "")
        assert(visible(store) == Set("a", "b") && store.exists("a"))
        assert(store.path("a").contains("/log/a"))
        intercept[FileNotFoundException](store.open("c"))
      }
    }

    test(s"$kind: a writer that fails leaves nothing") {
      inFolder { folder =>
        val store = make(folder)
        def failing(out: OutputStream): Unit = {
          out.write(1)
          throw new IllegalStateException("on purpose")
        }
        intercept[IllegalStateException](store.putIfAbsent("a")(failing))
        assert(!store.exists("a") && store.list().isEmpty)
        assert(put(store, "a", "later"))
      }
    }

    // A rename of the local file system replaces, and one writer is one.
    if (kind != "rename" && kind != "single writer")
      test(s"$kind: eight threads put the same names, each has one winner") {
        inFolder { folder =>
          val store = make(folder)
          val count = if (Set("hdfs", "s3")(kind)) 40 else 300
          val wins = new java.util.concurrent.atomic.AtomicIntegerArray(count)
          val threads = (1 to 8).map { writer =>
            new Thread(() =>
              for (i <- 0 until count if put(store, i.toString, writer.toString))
                wins.incrementAndGet(i))
          }
          threads.foreach(_.start())
          threads.foreach(_.join())
          assert((0 until count).forall(wins.get(_) == 1))
        }
      }
  }

  test("the store is chosen by what the file system can do") {
    inFolder { folder =>
      assert(of("file", folder).isInstanceOf[LocalLogStore])
      assert(LogStore(new Path(s"${Hdfs.uri}/log"), conf, singleWriter = false)
          .isInstanceOf[RenameLogStore])
      assert(LogStore(new Path(s"${S3.uri}/log"), S3.conf, singleWriter = false)
          .isInstanceOf[ConditionalLogStore])
      assert(of("conditional", folder).isInstanceOf[ConditionalLogStore])
      assert(of("plain", folder, singleWriter = true).isInstanceOf[SingleWriterLogStore])
    }
  }

  test("where nothing is safe, a table can be read and not written") {
    inFolder { folder =>
      Files.createDirectories(folder.resolve("log"))
      Files.writeString(folder.resolve("log/a"), "text")
      val store = of("plain", folder)
      assert(read(store, "a") == "text" && store.list() == Seq("a"))
      val e = intercept[NoAtomicPut](put(store, "b", "text"))
      assert(e.getCondition == "COLOCATE_TABLE_NO_ATOMIC_PUT")
      Seq("plain", "/log", "spark.colocate.layout.singleWriter").foreach(part =>
        assert(e.getMessage.contains(part)))
    }
  }

  test("a whole table on an object store") {
    inFolder { folder =>
      val log = TableLog.open(new Path(s"conditional://$folder"), conf)
      create(log)
      (1 to 12).foreach(i => append(log, s"f$i"))
      assert(paths(log.snapshot()) == (1 to 12).map(i => s"f$i").toSet)
      // It is written after the commit.
      eventually(timeout(20.seconds))(assert(Files.exists(checkpointFile(folder, 10))))
    }
  }
}
