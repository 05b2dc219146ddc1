package io.colocate.tables.format

import java.io.{FileNotFoundException, InputStream, IOException, OutputStream}
import java.util.EnumSet

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.hadoop.fs.{CreateFlag, FileAlreadyExistsException, FileContext, FileSystem, Path}
import org.apache.hadoop.fs.{FSDataOutputStream, FSDataOutputStreamBuilder}
import org.apache.hadoop.fs.Options.{CreateFileOptionKeys, CreateOpts, Rename}

/** A log on a file system of Hadoop. What differs is only how a file comes to be. */
sealed abstract class HadoopLogStore(fs: FileSystem, dir: Path) extends LogStore {

  override def list(): Seq[String] =
    try fs.listStatus(dir).toSeq.map(_.getPath.getName)
    catch { case _: FileNotFoundException => Nil }

  override def exists(name: String): Boolean = fs.exists(new Path(dir, name))

  override def open(name: String): InputStream = fs.open(new Path(dir, name))

  override def path(name: String): String = new Path(dir, name).toString

  protected def temporary(name: String): Path = new Path(dir, LogNames.temporary(name))
}

/** HDFS: its rename fails where the name is taken, in one step of the name node. */
final class RenameLogStore(fs: FileSystem, dir: Path) extends HadoopLogStore(fs, dir) {

  // FileSystem.rename does not tell why it failed, and some of them replace.
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

/** Object stores that make an object when its writer closes it, if there is none of that name. */
final class ConditionalLogStore(fs: FileSystem, dir: Path) extends HadoopLogStore(fs, dir) {

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    val path = new Path(dir, name)
    // A store says "there is one" in an exception of its own kind, so one looks.
    if (fs.exists(path)) false
    else {
      val out = ConditionalLogStore.create(fs, path)
      try write(out)
      catch {
        // To close it would make the object of what has been written so far.
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

/** Safe as long as nobody else writes: it looks, and then renames. */
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

/** A table can be read everywhere; writing it needs more. */
final class ReadOnlyLogStore(fs: FileSystem, dir: Path, scheme: String)
    extends HadoopLogStore(fs, dir) {

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean =
    throw new NoAtomicPut(dir.toString, s"the file system $scheme offers no atomic put-if-absent")
}
