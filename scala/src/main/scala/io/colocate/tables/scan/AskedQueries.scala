package io.colocate.tables.scan

import java.util.{ArrayDeque, Collections, LinkedHashMap, Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{Expression, In, InSet}

/**
 * A query that has read a table, or one of its scans if it reads the table more than once.
 *
 * @param time       when the scan's files were listed, in milliseconds
 * @param version    the version of the table that it read
 * @param predicates its filters, joined by AND, over the table's columns by name
 * @param rows       in the files that the filters left to read
 */
final case class AskedQuery(time: Long, version: Long, predicates: Seq[Expression], rows: Long)

/**
 * The newest queries that this driver has run on each table, by which a table can be adapted. They are
 * in memory only; those of the least recently read tables are dropped.
 */
object AskedQueries {

  /** How many queries are kept of a table. */
  val Most: Int = 256

  private[tables] val MostTables = 256

  /** A longer list of values is not kept: it says little, and may take as much memory as a table. */
  private val LongestList = 1000

  private val asked: JMap[Path, ArrayDeque[AskedQuery]] =
    Collections.synchronizedMap(new LinkedHashMap[Path, ArrayDeque[AskedQuery]](16, 0.75f, true) {
      override protected def removeEldestEntry(
          eldest: JMap.Entry[Path, ArrayDeque[AskedQuery]]): Boolean = size > MostTables
    })

  private[tables] def note(table: Path, query: AskedQuery): Unit = {
    val own = asked.computeIfAbsent(table, _ => new ArrayDeque)
    val kept = query.copy(predicates = query.predicates.filterNot(_.exists(isLong)))
    own.synchronized {
      while (own.size >= Most) own.removeFirst()
      own.addLast(kept)
    }
  }

  /** The oldest query first. */
  def of(table: Path): Seq[AskedQuery] = Option(asked.get(table)).fold(Seq.empty[AskedQuery]) {
    own => own.synchronized(own.asScala.toVector)
  }

  /** @return whether there were any */
  def forget(table: Path): Boolean = asked.remove(table) != null

  private def isLong(e: Expression): Boolean = e match {
    case in: In => in.list.length > LongestList
    case in: InSet => in.hset.size > LongestList
    case _ => false
  }
}
