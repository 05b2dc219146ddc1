package io.colocate.tables.commit

import java.io.{InputStream, IOException, OutputStream}
import java.net.URI
import java.nio.file.{Files, Path => NioPath}

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.fs.{FileStatus, FSDataInputStream, FSDataOutputStream, Path, RawLocalFileSystem}
import org.apache.hadoop.fs.permission.FsPermission

import org.apache.spark.{SparkContext, TaskContext}

import io.colocate.tables.format.{ConditionalLogStore, LocalLogStore, LogNames}
import io.colocate.tables.snapshot.SnapshotCache

/**
 * Kills a process in a test: at the chosen step of what it does with files, that step fails and so does
 * everything after it, so that no retry and no cleaning up gets through.
 */
object Kill {

  /** The file systems that die, for a session. */
  val conf: Map[String, String] = Map("fs.killed.impl" -> classOf[KilledFileSystem].getName,
    "fs.killedstore.impl" -> classOf[KilledObjectStore].getName).map { case (key, value) =>
    s"spark.hadoop.$key" -> value
  }

  private val Property = "colocate.testing.process"

  private var process = 0
  private var at = Int.MaxValue
  private var taken = Vector.empty[String]
  private var counting = false
  @volatile private var dead = false

  /** What `body` does with files, step by step; each ends in the name of the file. */
  def steps(context: SparkContext)(body: => Unit): IndexedSeq[String] = {
    apply(context, Int.MaxValue)(body)
    synchronized(taken)
  }

  /**
   * Runs `body` up to a step, counted from 0, before which the process dies. It stays dead until it is
   * revived.
   *
   * @return whether there was such a step
   */
  def apply(context: SparkContext, step: Int)(body: => Unit): Boolean = {
    next(context)
    synchronized {
      at = step
      taken = Vector.empty
      counting = true
    }
    try body
    catch { case NonFatal(_) if dead => () }
    finally synchronized { counting = false }
    synchronized(dead)
  }

  /** Another process comes, which has read nothing of the table yet. */
  def revive(context: SparkContext, table: Path): Unit = {
    next(context)
    synchronized { dead = false }
    SnapshotCache.forget(table.toString)
  }

  private def next(context: SparkContext): Unit = synchronized {
    process += 1
    context.setLocalProperty(Property, process.toString)
  }

  private[tables] def step(what: String): Unit = synchronized {
    alive()
    if (counting) {
      dead = taken.length == at
      alive()
      taken :+= what
    }
  }

  private[tables] def alive(): Unit = synchronized {
    if (dead || belated) throw new IOException("the process was killed")
  }

  /** Some tasks of a process run on for a while when it is dead, and another has come. */
  private def belated: Boolean =
    Option(TaskContext.get()).map(_.getLocalProperty(Property)).exists { of =>
      of != null && of != process.toString
    }
}

/** A disk of a process that dies. Hadoop knows nothing of it, so its log needs a single writer. */
class KilledFileSystem extends RawLocalFileSystem {
  override def getScheme: String = "killed"
  override def getUri: URI = URI.create(s"$getScheme:///")

  private def step(what: String, path: Path): Unit = Kill.step(s"$what ${path.getName}")

  override def mkdirs(path: Path): Boolean = {
    step("mkdirs", path)
    super.mkdirs(path)
  }

  override def mkdirs(path: Path, permission: FsPermission): Boolean = {
    step("mkdirs", path)
    super.mkdirs(path, permission)
  }

  override def rename(from: Path, to: Path): Boolean = {
    step("rename", to)
    super.rename(from, to)
  }

  override def delete(path: Path, recursive: Boolean): Boolean = {
    step("delete", path)
    super.delete(path, recursive)
  }

  override def listStatus(path: Path): Array[FileStatus] = {
    step("list", path)
    super.listStatus(path)
  }

  override protected def createOutputStreamWithMode(
      path: Path,
      append: Boolean,
      permission: FsPermission): OutputStream = {
    step("create", path)
    new KilledStream(super.createOutputStreamWithMode(path, append, permission), path.getName)
  }

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    Kill.alive()
    super.open(path, bufferSize)
  }

  override def exists(path: Path): Boolean = {
    Kill.alive()
    super.exists(path)
  }

  override def getFileStatus(path: Path): FileStatus = {
    Kill.alive()
    super.getFileStatus(path)
  }
}

/** An object store of a process that dies: what is created is there once it is closed. */
class KilledObjectStore extends KilledFileSystem {
  override def getScheme: String = "killedstore"

  override def hasPathCapability(path: Path, capability: String): Boolean =
    capability == ConditionalLogStore.Capability || super.hasPathCapability(path, capability)

  override def createFile(path: Path): ConditionalBuilder = new ConditionalBuilder(this, path) {
    override def build(): FSDataOutputStream = {
      Kill.step(s"create ${path.getName}")
      new FSDataOutputStream(new KilledStream(super.build(), path.getName), null)
    }
  }
}

/** The log on a local disk of a process that dies. */
class KilledLocalStore(dir: NioPath) extends LocalLogStore(dir) {

  private var left = Map.empty[NioPath, Array[Byte]]

  override def list(): Seq[String] = {
    Kill.step("list the log")
    super.list()
  }

  override def exists(name: String): Boolean = {
    Kill.alive()
    super.exists(name)
  }

  override def open(name: String): InputStream = {
    Kill.alive()
    super.open(name)
  }

  /** The store deletes its temporary file on any error. A process that is killed does not. */
  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean =
    try super.putIfAbsent(name)(write)
    finally left.foreach { case (file, bytes) => Files.write(file, bytes) }

  override protected def reached(step: String): Unit =
    try Kill.step(s"$step the log's entry")
    catch {
      case e: IOException =>
        left = temporaries.map(file => file -> Files.readAllBytes(file)).toMap
        throw e
    }

  private def temporaries: Seq[NioPath] = {
    val listed = Files.list(dir)
    try listed.iterator.asScala.filter(f => LogNames.isTemporary(f.getFileName.toString)).toSeq
    finally listed.close()
  }
}

/** Dies in the middle of its first write, or before it is closed, or after. */
final private class KilledStream(out: OutputStream, name: String) extends OutputStream {

  private var first = true

  override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

  override def write(bytes: Array[Byte], from: Int, length: Int): Unit = {
    Kill.alive()
    out.write(bytes, from, length / 2)
    if (first) {
      first = false
      Kill.step(s"write $name")
    }
    out.write(bytes, from + length / 2, length - length / 2)
  }

  override def flush(): Unit = {
    Kill.alive()
    out.flush()
  }

  override def close(): Unit = {
    Kill.step(s"close $name")
    out.close()
    Kill.step(s"have closed $name")
  }
}
