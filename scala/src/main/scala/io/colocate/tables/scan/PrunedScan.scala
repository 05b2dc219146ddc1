package io.colocate.tables.scan

import io.colocate.tables.pruning.ConjunctReport

/**
 * What pruning did to one scan, for explain().
 *
 * @param replica   the tree whose copy of the rows is read, where trees are copies of each other
 * @param conjuncts one for each condition of the filter
 * @param joinKeys  columns by which more files may be left out when the query runs, as the keys of a
 *                  join are known then
 * @param failure   an error of ours, for which all files are read
 */
final case class PrunedScan(
    table: String,
    version: Long,
    keptFiles: Int,
    files: Int,
    keptRows: Long,
    rows: Long,
    replica: Option[Int],
    conjuncts: Seq[ConjunctReport],
    failure: Option[String] = None,
    joinKeys: Seq[String] = Nil)
