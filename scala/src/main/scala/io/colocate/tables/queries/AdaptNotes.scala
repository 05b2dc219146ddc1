package io.colocate.tables.queries

import java.util.concurrent.ConcurrentHashMap

import org.apache.hadoop.fs.Path

/** What was last found out about adapting a table, for explain(). It costs a query no more than a look. */
object AdaptNotes {

  private val notes = new ConcurrentHashMap[Path, String]

  /** The note of a table, in place of an older one. */
  def note(table: Path, text: String): Unit = {
    if (notes.size >= AskedQueries.MostTables) notes.clear()
    notes.put(table, text)
  }

  private[tables] def of(table: Path): Option[String] = Option(notes.get(table))
}
