package io.colocate.advise

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{StructField, StructType}

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.ColumnStats
import io.colocate.tables.operations.Transaction
import io.colocate.tables.pruning.{Conjunct, FileStats, PredicateCompiler, PrunedFiles}
import io.colocate.tables.scan.PinTable
import io.colocate.tables.tree.CutColumn
import io.colocate.tables.write.{ColumnBounds, DrawSample}

/**
 * The effect of cutting a table by one column.
 *
 * @param readShare the share of the rows that the queries would read, from 0 to 1, in the mean
 */
final case class ColumnAdvice(column: String, readShare: Double)

/**
 * Tries each column in turn: a sample of the table is sorted by it and split into as many blocks as the
 * table has leaves, and the filters decide which blocks they need. Other columns count too if they are
 * correlated with the one that is tried.
 */
object AdviseColumns {

  /**
   * @param queries the filters of each query, joined by AND, over the table's columns by name
   * @return the best column first
   */
  def apply(
      session: SparkSession,
      log: TableLog,
      queries: Seq[Seq[Expression]]): Seq[ColumnAdvice] = {
    val base = log.snapshot()
    val columns = CutColumn.among(base.schema)
    val transaction = new Transaction(session, log)
    val rows = transaction.rows(transaction.read(base, PinTable.whole(log.path, base).kept))
    val drawn = DrawSample(rows, columns, SampleRows, seed = 0).sample
    val schema = StructType(columns.map(c => StructField(c.name, c.dataType)))
    val conjuncts = queries.map(Conjunct.of(_, PredicateCompiler.byName(schema)))
    val blocks = base.trees.map(_.leaves.length).maxOption.getOrElse(1)
      .max(LeastBlocks).min(drawn.rows.length.max(1))
    columns.zipWithIndex.map { case (column, at) =>
      val ordering = Ordering.Option(column.ordering).on[Array[Any]](row => Option(row(at)))
      val sorted = drawn.rows.sorted(ordering)
      val size = math.ceil(sorted.length.toDouble / blocks).toInt.max(1)
      val files = new Blocks(schema, sorted.grouped(size).toIndexedSeq)
      ColumnAdvice(column.name, mean(conjuncts.map(readShare(files, _))))
    }.sortBy(_.readShare)
  }

  private val SampleRows = 20000

  /** A table with few leaves is judged as if it had more. */
  private val LeastBlocks = 64

  private def readShare(files: FileStats, conjuncts: Seq[Conjunct]): Double = {
    val found = PrunedFiles(files, _ => None, conjuncts)
    found.keptRows.toDouble / found.rows.max(1)
  }

  private def mean(shares: Seq[Double]): Double =
    if (shares.isEmpty) 1.0 else shares.sum / shares.length

  /** Blocks of a sample as if they were files. */
  final private class Blocks(val schema: StructType, blocks: IndexedSeq[IndexedSeq[Array[Any]]])
      extends FileStats {

    private val known: IndexedSeq[IndexedSeq[ColumnStats]] = blocks.map { rows =>
      val bounds = schema.fields.zipWithIndex.map { case (f, i) => ColumnBounds.of(f.dataType, i) }
      rows.foreach { row =>
        val internal = InternalRow.fromSeq(row.toIndexedSeq)
        bounds.foreach(_.update(internal))
      }
      bounds.map(_.result).toIndexedSeq
    }

    override def length: Int = blocks.length
    override def path(file: Int): String = s"block $file"
    override def tree(file: Int): Int = -1
    override def leaf(file: Int): Int = -1
    override def rows(file: Int): Long = blocks(file).length.toLong
    override def holds(column: Int, file: Int): Boolean = true
    override def nulls(column: Int, file: Int): Long = known(file)(column).nulls
    override def nans(column: Int, file: Int): Long = known(file)(column).nans
    override def min(column: Int, file: Int): Any = known(file)(column).min.orNull
    override def max(column: Int, file: Int): Any = known(file)(column).max.orNull
  }
}
