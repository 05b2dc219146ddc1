package io.colocate.tables.format

import java.io.{FileNotFoundException, InputStream, IOException, OutputStream}
import java.nio.channels.{Channels, FileChannel}
import java.nio.file._
import java.nio.file.StandardOpenOption.{CREATE_NEW, READ, WRITE}

import scala.jdk.CollectionConverters._
import scala.util.Using

/**
 * A log on a local disk. A rename would replace a file that another process has just written. A hard
 * link fails if any process has taken its name, and appears at once with the whole file.
 *
 * @param singleWriter true if a rename is safe enough on a disk without hard links
 */
class LocalLogStore(dir: Path, singleWriter: Boolean = false) extends LogStore {

  override def list(): Seq[String] =
    try Using.resource(Files.list(dir))(_.iterator.asScala.map(_.getFileName.toString).toSeq)
    catch { case _: NoSuchFileException | _: NotDirectoryException => Nil }

  override def exists(name: String): Boolean = Files.exists(dir.resolve(name))

  override def open(name: String): InputStream =
    try Files.newInputStream(dir.resolve(name))
    catch { case _: NoSuchFileException => throw new FileNotFoundException(path(name)) }

  override def path(name: String): String = dir.resolve(name).toString

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    Files.createDirectories(dir)
    val temporary = dir.resolve(LogNames.temporary(name))
    try {
      writeThrough(temporary, write)
      reached("written")
      val linked = link(dir.resolve(name), temporary)
      reached("linked")
      if (linked) sync(dir)
      reached("synced")
      linked
    } finally Files.deleteIfExists(temporary)
  }

  override def replace(name: String)(write: OutputStream => Unit): Unit = {
    val temporary = dir.resolve(LogNames.temporary(name))
    try {
      writeThrough(temporary, write)
      Files.move(temporary, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING)
    } finally Files.deleteIfExists(temporary)
  }

  override def delete(name: String): Unit = Files.deleteIfExists(dir.resolve(name))

  /** For tests that stop at a step. */
  protected def reached(step: String): Unit = ()

  private def writeThrough(file: Path, write: OutputStream => Unit): Unit =
    Using.resource(FileChannel.open(file, CREATE_NEW, WRITE)) { channel =>
      reached("created")
      write(Channels.newOutputStream(channel))
      channel.force(true)
    }

  private def link(to: Path, from: Path): Boolean =
    try {
      Files.createLink(to, from)
      true
    } catch {
      case _: FileAlreadyExistsException => false
      case e @ (_: UnsupportedOperationException | _: FileSystemException) if !linksWork(from) =>
        if (!singleWriter) {
          throw new NoAtomicPut(dir.toString, s"its disk has no hard links (${e.getMessage})")
        }
        if (Files.exists(to)) false
        else {
          Files.move(from, to, StandardCopyOption.ATOMIC_MOVE)
          true
        }
    }

  /** Distinguishes a disk without hard links from one that is full, or fails otherwise. */
  private def linksWork(file: Path): Boolean = {
    val probe = dir.resolve(LogNames.temporary("link"))
    try {
      Files.createLink(probe, file)
      Files.delete(probe)
      true
    } catch {
      case _: UnsupportedOperationException => false
      case e: FileSystemException =>
        !Option(e.getReason).exists(r => r.contains("not permitted") || r.contains("not supported"))
    }
  }

  /** Without this the new name may be lost when the machine stops. Not every system supports it. */
  private def sync(folder: Path): Unit =
    try Using.resource(FileChannel.open(folder, READ))(_.force(true))
    catch { case _: IOException => () }
}
