package io.colocate.tables.format

import java.io.{FileNotFoundException, InputStream, IOException, OutputStream}
import java.util.EnumSet

import scala.util.{Try, Using}
import scala.util.control.NonFatal

import org.apache.hadoop.fs.{CreateFlag, FileAlreadyExistsException, FileContext, FileSystem, Path}
import org.apache.hadoop.fs.{FSDataOutputStream, FSDataOutputStreamBuilder}
import org.apache.hadoop.fs.Options.{CreateFileOptionKeys, CreateOpts, Rename}

/** A log on a Hadoop file system. The subclasses differ only in how they create a file. */
sealed abstract class HadoopLogStore(fs: FileSystem, dir: Path) extends LogStore {

  override def list(): Seq[String] =
    try fs.listStatus(dir).toSeq.map(_.getPath.getName)
    catch { case _: FileNotFoundException => Nil }

  override def exists(name: String): Boolean = fs.exists(new Path(dir, name))

  override def open(name: String): InputStream = fs.open(new Path(dir, name))

  override def path(name: String): String = new Path(dir, name).toString

  override def replace(name: String)(write: OutputStream => Unit): Unit =
    Using.resource(fs.create(new Path(dir, name), true))(write)

  override def delete(name: String): Unit = fs.delete(new Path(dir, name), false)

  protected def temporary(name: String): Path = new Path(dir, LogNames.temporary(name))
}

/** HDFS: its rename is one step of the name node, and fails if the name is taken. */
final class RenameLogStore(fs: FileSystem, dir: Path) extends HadoopLogStore(fs, dir) {

  // FileSystem.rename does not say why it failed, and some implementations replace the target.
  private lazy val context = FileContext.getFileContext(dir.toUri, fs.getConf)

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    val from = temporary(name)
    try {
      val out = context.create(from, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())
      try {
        write(out)
        out.hsync()
      } finally out.close()
      context.rename(from, new Path(dir, name), Rename.NONE)
      true
    } catch {
      case _: FileAlreadyExistsException => false
    } finally Try(context.delete(from, false))
  }
}

/** Object stores that create an object when its writer is closed, if there is none of that name. */
final class ConditionalLogStore(fs: FileSystem, dir: Path) extends HadoopLogStore(fs, dir) {

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    val path = new Path(dir, name)
    // Each store has its own exception for an object that exists, so this checks explicitly.
    if (fs.exists(path)) false
    else {
      val out = ConditionalLogStore.create(fs, path)
      try write(out)
      catch {
        // Closing it would create the object with the bytes written so far.
        case NonFatal(e) =>
          Try(out.abort())
          throw e
      }
      try {
        out.close()
        true
      } catch {
        case NonFatal(_) if Try(fs.exists(path)).getOrElse(false) => false
      }
    }
  }
}

object ConditionalLogStore {
  val Capability: String = CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE

  private def create(fs: FileSystem, path: Path): FSDataOutputStream = {
    val builder: FSDataOutputStreamBuilder[_, _] = fs.createFile(path)
    builder.overwrite(true)
    builder.recursive()
    builder.must(Capability, true)
    builder.build().asInstanceOf[FSDataOutputStream]
  }
}

/** Safe as long as no other process writes: it checks, and then renames. */
final class SingleWriterLogStore(fs: FileSystem, dir: Path) extends HadoopLogStore(fs, dir) {

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    val path = new Path(dir, name)
    val from = temporary(name)
    if (fs.exists(path)) false
    else
      try {
        val out = fs.create(from, false)
        try write(out)
        finally out.close()
        if (fs.rename(from, path)) true
        else if (fs.exists(path)) false
        else throw new IOException(s"$from could not be renamed to $path")
      } finally Try(fs.delete(from, false))
  }
}

/** A table can be read on any file system; writing needs an atomic put-if-absent. */
final class ReadOnlyLogStore(fs: FileSystem, dir: Path, scheme: String)
    extends HadoopLogStore(fs, dir) {

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean =
    throw new NoAtomicPut(dir.toString, s"the file system $scheme offers no atomic put-if-absent")
}
