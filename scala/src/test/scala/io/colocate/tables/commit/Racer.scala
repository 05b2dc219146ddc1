package io.colocate.tables.commit

import java.nio.file.{Files, Path => NioPath}

import scala.jdk.CollectionConverters._

import io.colocate.tables.format.{LocalLogStore, LogNames}

/** A process of its own, that writes to the same log as others. */
object Racer extends LogFixture {

  def main(args: Array[String]): Unit = {
    val Array(mode, where, name, count) = args
    val folder = NioPath.of(where)
    Files.createFile(folder.resolve(s"ready-$name"))
    while (!Files.exists(folder.resolve("go"))) Thread.sleep(1)
    val won = mode match {
      case "store" => puts(folder, name, count.toInt)
      case "table" => appends(folder, name, count.toInt)
      case "halt" => halts(folder, name, count)
    }
    Files.write(folder.resolve(s"won-$name"), won.asJava)
  }

  /** Tries every version, whether it is taken or not. */
  private def puts(folder: NioPath, name: String, count: Int): Seq[String] = {
    val store = new LocalLogStore(logFolder(folder))
    (0 until count).filter { i =>
      meet(folder, name, i)
      store.putIfAbsent(LogNames.entry(i.toLong))(_.write(name.getBytes("UTF-8")))
    }.map(i => LogNames.entry(i.toLong))
  }

  /** Each commit adds a file of its own, at whatever version it becomes. */
  private def appends(folder: NioPath, name: String, count: Int): Seq[String] = {
    val log = open(folder)
    (0 until count).map { i =>
      meet(folder, name, i)
      s"${append(log, s"$name-$i")} $name-$i"
    }
  }

  /** Once in a while the faster waits for the slower, or they would not race. */
  private def meet(folder: NioPath, name: String, i: Int): Unit = if (i % 50 == 0) {
    Files.createFile(folder.resolve(s"met-$i-$name"))
    while (names.exists(other => !Files.exists(folder.resolve(s"met-$i-$other"))))
      Thread.onSpinWait()
  }

  /** Of those who race in the modes "store" and "table". */
  val names: Seq[String] = Seq("one", "two")

  /** Dies at a step of a commit, without a chance to clean up. */
  private def halts(folder: NioPath, name: String, step: String): Seq[String] = {
    val store = new LocalLogStore(logFolder(folder)) {
      override protected def reached(now: String): Unit =
        if (now == step) Runtime.getRuntime.halt(9)
    }
    append(open(folder, store), name)
    Nil
  }

  /** @return the processes' exit codes */
  def run(mode: String, folder: NioPath, names: Seq[String], argument: String): Seq[Int] = {
    val java = NioPath.of(sys.props("java.home"), "bin", "java").toString
    val running = names.map { name =>
      new ProcessBuilder(java, "-Xmx512m", "-cp", sys.props("java.class.path"),
        "io.colocate.tables.commit.Racer", mode, folder.toString, name, argument)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(s"output-$name").toFile)
        .start()
    }
    try {
      while (running.forall(_.isAlive) &&
        !names.forall(name => Files.exists(folder.resolve(s"ready-$name")))) Thread.sleep(5)
      Files.createFile(folder.resolve("go"))
      running.map(_.waitFor())
    } finally running.foreach(_.destroyForcibly())
  }

  def won(folder: NioPath, name: String): Seq[String] =
    Files.readAllLines(folder.resolve(s"won-$name")).asScala.toSeq
}
