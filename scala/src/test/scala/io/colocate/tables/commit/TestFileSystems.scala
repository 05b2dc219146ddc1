package io.colocate.tables.commit

import java.io.{ByteArrayOutputStream, IOException}
import java.net.URI
import java.nio.file.{Files, Path => NioPath, StandardOpenOption}

import org.apache.hadoop.fs.{FileSystem, Path, RawLocalFileSystem}
import org.apache.hadoop.fs.{FSDataOutputStream, FSDataOutputStreamBuilder}

import io.colocate.tables.format.ConditionalLogStore

/** A file system of which nothing is known. */
class PlainFileSystem extends RawLocalFileSystem {
  override def getScheme: String = "plain"
  override def getUri: URI = URI.create("plain:///")
}

/** One that makes a file when it is closed, if there is none, as object stores do. */
class ConditionalFileSystem extends RawLocalFileSystem {
  override def getScheme: String = "conditional"
  override def getUri: URI = URI.create("conditional:///")

  override def hasPathCapability(path: Path, capability: String): Boolean =
    capability == ConditionalLogStore.Capability || super.hasPathCapability(path, capability)

  override def createFile(path: Path): ConditionalBuilder = new ConditionalBuilder(this, path)
}

class ConditionalBuilder(fs: FileSystem, path: Path)
    extends FSDataOutputStreamBuilder[FSDataOutputStream, ConditionalBuilder](fs, path) {

  override def getThisBuilder: ConditionalBuilder = this

  override def build(): FSDataOutputStream = {
    require(getMandatoryKeys.contains(ConditionalLogStore.Capability))
    val target = NioPath.of(path.toUri.getPath)
    new FSDataOutputStream(new CreateInClose(target), null)
  }

  private class CreateInClose(target: NioPath) extends ByteArrayOutputStream {
    override def close(): Unit = {
      Files.createDirectories(target.getParent)
      try Files.write(target, toByteArray, StandardOpenOption.CREATE_NEW)
      catch { case e: IOException => throw new IOException("412 precondition failed", e) }
    }
  }
}
