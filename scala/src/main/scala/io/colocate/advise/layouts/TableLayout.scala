package io.colocate.advise.layouts

import org.apache.spark.sql.catalyst.catalog.BucketSpec

/**
 * How the rows of a table could lie: in `buckets` files by the hash of `columns`.
 *
 * @param columns in their order, spelled as in the table
 */
final case class TableLayout(table: StoredTable, columns: Seq[String], buckets: Int) {

  def spec: BucketSpec = BucketSpec(buckets, columns, Nil)
}
