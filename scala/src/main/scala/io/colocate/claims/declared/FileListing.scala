package io.colocate.claims.declared

import java.nio.charset.StandardCharsets
import java.security.MessageDigest
import java.util.{Collections, Map => JavaMap, WeakHashMap}

import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitioningAwareFileIndex}

/**
 * The files of an index as they were listed: their paths, sizes and times of modification. Listings that
 * have the same files in another order are equal.
 *
 * Every planning of a query asks for the files of its tables, and a table may have a hundred thousand. So a
 * listing is kept for as long as its index holds the same objects, and its digest is made once, and only
 * where it is compared with that of other objects.
 */
final private class FileListing private (listed: Array[FileStatus]) extends Serializable {

  val size: Int = listed.length

  // Only until there is a digest: a listing may be remembered for longer than its index.
  private var files = listed

  private lazy val digest: Seq[Byte] = {
    val made = FileListing.digest(files)
    files = null
    made
  }

  override def equals(other: Any): Boolean = other match {
    case that: FileListing => that.eq(this) || that.size == size && that.digest == digest
    case _ => false
  }

  override def hashCode: Int = size
}

private object FileListing {

  private case class Kept(files: Array[FileStatus], listing: FileListing)

  private val kept: JavaMap[FileIndex, Kept] =
    Collections.synchronizedMap(new WeakHashMap[FileIndex, Kept])

  /**
   * The files that the index has now. A write in the same session makes it list them anew, in place: then it
   * has other objects.
   */
  def of(index: PartitioningAwareFileIndex): FileListing = {
    val now = index.allFiles().toArray
    Option(kept.get(index)).filter(before => same(before.files, now)).map(_.listing).getOrElse {
      val listing = new FileListing(now)
      kept.put(index, Kept(now, listing))
      listing
    }
  }

  private def same(before: Array[FileStatus], now: Array[FileStatus]): Boolean =
    before.length == now.length && before.indices.forall(i => before(i).eq(now(i)))

  private def digest(files: Array[FileStatus]): Seq[Byte] = {
    val whole = MessageDigest.getInstance("SHA-256")
    val each = files.map(f => s"${f.getPath}\u0000${f.getLen}\u0000${f.getModificationTime}\u0000")
    each.sorted.foreach(file => whole.update(file.getBytes(StandardCharsets.UTF_8)))
    whole.digest().toSeq
  }
}
