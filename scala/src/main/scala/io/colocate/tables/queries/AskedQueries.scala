package io.colocate.tables.queries

import java.util.{Collections, LinkedHashMap, Map => JMap, UUID}
import java.util.concurrent.atomic.AtomicLong

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * The newest queries that this driver has run on each table, by which a table can be adapted. A table
 * whose option `adapt` says so also has them in files ([[QueryRecorder]]), with those of other drivers.
 */
object AskedQueries {

  /** How many queries are kept of a table in memory. */
  val Most: Int = QueriesInMemory.Most

  private[tables] val MostTables = 256

  private val driver = UUID.randomUUID.toString
  private val numbers = new AtomicLong

  /** Those of the table that was read least recently are dropped. */
  private val tables: JMap[Path, QueriesInMemory] =
    Collections.synchronizedMap(new LinkedHashMap[Path, QueriesInMemory](16, 0.75f, true) {
      override protected def removeEldestEntry(eldest: JMap.Entry[Path, QueriesInMemory]): Boolean =
        size > MostTables
    })

  private[tables] def note(
      table: Path,
      version: Long,
      predicates: Seq[Expression],
      rows: Long,
      columns: Set[String],
      joins: Seq[AskedJoin],
      recorder: Option[QueryRecorder]): Unit = {
    val kept = predicates.map(new AskedPredicate(recorder.flatMap(_.secret))(_))
    val query = AskedQuery(System.currentTimeMillis, version, kept, rows, columns, count = 1,
      AskedQuery.Id(driver, numbers.incrementAndGet()), joins)
    val own = inMemoryOf(table)
    own.add(query, store = recorder.nonEmpty)
    recorder.foreach(_.later(table, own))
  }

  private def inMemoryOf(table: Path): QueriesInMemory =
    tables.computeIfAbsent(table, _ => new QueriesInMemory)

  /** As if this driver had run a query. */
  private[colocate] def remember(table: Path, query: AskedQuery): Unit =
    inMemoryOf(table).add(query, store = false)

  /** Those of this driver, the oldest first. */
  def inMemory(table: Path): Seq[AskedQuery] =
    Option(tables.get(table)).fold(Seq.empty[AskedQuery])(_.all)

  /** Those of all drivers that are known, the oldest first. */
  def of(table: Path, conf: Configuration): KnownQueries = {
    val own = Option(tables.get(table))
    own.foreach(QueryRecorder.store(table, _, conf))
    val stored = new QueryFiles(table, conf).read()
    val there = stored.queries.map(_.id).toSet
    val mine = own.fold(Seq.empty[AskedQuery])(_.all).filterNot(query => there(query.id))
    KnownQueries((stored.queries ++ mine).sortBy(_.time), there, stored.damaged,
      own.flatMap(_.refused))
  }

  /** @return those that are forgotten; what waited to be written does not come back later */
  def forget(table: Path, conf: Configuration): KnownQueries = {
    val known = of(table, conf)
    tables.remove(table)
    new QueryFiles(table, conf).clear()
    known
  }

  /** For tests: as if the driver had just begun. */
  private[colocate] def forgetAll(): Unit = tables.asScala.keys.toSeq.foreach(tables.remove)
}

/**
 * @param queries the oldest first
 * @param stored  those among them that are in files
 * @param damaged files that could not be read
 * @param refused why this driver cannot write files beside the table, if it cannot
 */
final case class KnownQueries(
    queries: Seq[AskedQuery],
    stored: Set[AskedQuery.Id],
    damaged: Seq[String],
    refused: Option[String])
