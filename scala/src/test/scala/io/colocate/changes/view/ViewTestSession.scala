package io.colocate.changes.view

import io.colocate.tables.sql.TableSession

/** Tables of the catalog, and views on them. */
private[view] trait ViewTestSession extends TableSession {

  /** The tables are made by the body, and dropped after it. */
  protected def withTables(names: String*)(body: => Unit): Unit =
    try body
    finally names.foreach(name => sql(s"DROP TABLE IF EXISTS $name"))
}
