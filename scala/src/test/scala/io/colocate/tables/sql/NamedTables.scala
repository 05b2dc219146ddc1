package io.colocate.tables.sql

/** Names for tables of the catalog. */
private[sql] trait NamedTables extends TableSession {

  private var names = 0

  protected def name(): String = {
    names += 1
    s"t$names"
  }

  protected def location(table: String): String =
    spark.sessionState.catalog
      .getTableMetadata(spark.sessionState.sqlParser.parseTableIdentifier(table)).location.getPath

  /** A new table of 100 rows (a BIGINT, b STRING). */
  protected def hundred(): String = {
    val table = name()
    sql(s"CREATE TABLE $table USING colocate OPTIONS (maxLeafRows '60')" +
      " AS SELECT id AS a, concat('s', id) AS b FROM range(100)")
    table
  }

  /** One of them that every statement is refused for. */
  protected lazy val kept: String = hundred()

  /** What is said of a statement that does not work on a table of ours, by us or by Spark. */
  protected val ours = "COLOCATE_TABLE_NOT_SUPPORTED"
  protected val notInV1 = "UNSUPPORTED_FEATURE.TABLE_OPERATION"
}
