package io.colocate.multiway.decide

import scala.util.Try

import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf

import io.colocate.facts.estimated.NumberRange
import io.colocate.facts.types.EqualBits
import io.colocate.rule.ColocateConf

/**
 * Sizes of inputs that have no statistics, from the files that they read: on the driver, without a job.
 *
 * {{{
 *   rows             the rows in the footers, without those that have a NULL key, which joins nothing
 *   distinct values  at most the numbers from the least to the greatest value in the footers;
 *                    otherwise the values of the dictionaries, if they hold all
 * }}}
 *
 * Valid for files that are read whole ([[PlainFiles]]). A robust table's log has the same figures
 * without a footer.
 *
 * If there are fewer distinct values than the bound, joins of two inputs make more rows than estimated
 * from it, never fewer. So if the bound favours joining a cycle at once, the true number does too.
 * Counter-example, which shows why a bound decides nothing against it: if only ten of the numbers from 1
 * to 1,000,000 occur, they look like a unique key of a million rows.
 *
 * There is one for each query: it counts what it reads, and reads nothing twice.
 */
final private[multiway] class FooterCounts(conf: SQLConf) {

  import FooterCounts._

  private lazy val footers = new Footers(ColocateConf.MultiwayMaxFooters(conf))
  private lazy val dictionaries =
    new ColumnDictionaries(ColocateConf.MultiwayDictionaryBytes(conf))

  /**
   * Ways to find the sizes of inputs, cheaper ones first; empty if not even the first is allowed. A size
   * is None if the files do not show it.
   */
  def ways(inputs: Seq[(LogicalPlan, Keys)]): Seq[() => Seq[Option[InputSize]]] = {
    val found = inputs.map { case (plan, _) => PlainFiles.of(plan, conf) }
    if (found.exists(_.isEmpty) || !allowed(found.flatten)) Nil
    else
      Seq[Count](range, values).map { count => () =>
        found.flatten.zip(inputs).map { case (files, (_, keys)) => size(files, keys, count) }
      }
  }

  /** False if the inputs have too many files together; then inputs of few files are not read either. */
  private def allowed(inputs: Seq[PlainFiles]): Boolean =
    ColocateConf.MultiwayMaxFooters(conf) > 0 && footers.allowed(inputs.map(_.source).flatMap {
      case listed: PlainFiles.Listed => listed.files
      case _: PlainFiles.Logged => Nil
    })

  private def size(files: PlainFiles, keys: Keys, count: Count): Option[InputSize] = {
    val columns = keys.values.flatMap(_.references).toSeq.distinct
    for {
      rows <- rows(files)
      counts = columns.flatMap(c => files.column(c).flatMap(count(files, _)).map(c -> _))
      if counts.length == columns.length
    } yield sized(rows, keys, AttributeMap(counts))
  }

  private def sized(rows: Long, keys: Keys, counts: AttributeMap[ColumnCount]): InputSize = {
    val nulls = counts.values.map(_.nulls).filter(_ > 0)
    // At least so many rows have no NULL key: a row may have several.
    val whole = (rows - nulls.sum).max(1).toDouble
    val values = keys.map { case (v, key) => v -> counts(key.references.head).of(key) }
    InputSize(whole, values.map { case (v, count) => v -> count.values.min(whole).max(1) },
      bounds = values.collect { case (v, count) if !count.exact || nulls.size > 1 => v }.toSet)
  }

  private def rows(files: PlainFiles): Option[Long] = files.source match {
    case PlainFiles.Logged(files) => Some(files.rows)
    case listed: PlainFiles.Listed => read(files, listed).map(_.map(_.rows).sum)
  }

  private def read(files: PlainFiles, listed: PlainFiles.Listed): Option[Seq[Footer]] =
    footers(listed.files,
      files.relation.sparkSession.sessionState.newHadoopConfWithOptions(files.relation.options))

  private def range(files: PlainFiles, column: Attribute): Option[ColumnCount] =
    files.source match {
      case PlainFiles.Logged(files) => files.numbers(column.name, column.dataType).map(bounded)
      case listed: PlainFiles.Listed if folder(files, column) >= 0 =>
        folders(files, listed, column)
      case listed: PlainFiles.Listed =>
        for {
          footers <- read(files, listed) if NumberRange.describes(column.dataType)
          numbers <- overFiles(footers, column)(Footer.numbers)
        } yield bounded(numbers.fold(NumberRange.Nothing)(_ and _))
    }

  private def bounded(numbers: NumberRange): ColumnCount =
    ColumnCount(numbers.nulls, numbers.mostValues, exact = false)

  private def values(files: PlainFiles, column: Attribute): Option[ColumnCount] =
    dictionary(files, column).orElse(range(files, column))

  private def dictionary(files: PlainFiles, column: Attribute): Option[ColumnCount] =
    files.source match {
      case listed: PlainFiles.Listed if folder(files, column) < 0 =>
        for {
          footers <- read(files, listed)
          nulls <- overFiles(footers, column)(Footer.nulls)
          distinct <- dictionaries.distinct(footers, column.name, conf.resolver)
          // Dictionaries tell 0.0 from -0.0, and one NaN from another.
        } yield ColumnCount(nulls.sum, distinct.toDouble, exact = EqualBits(column.dataType))
      case _ => None
    }

  /**
   * The figures of all chunks of a column; None if one is missing, or unreadable as in encrypted columns.
   */
  private def overFiles[T](footers: Seq[Footer], column: Attribute)(
      tell: ColumnChunkMetaData => Option[T]): Option[Seq[T]] =
    Try(footers.map(_.chunks(column.name, conf.resolver))).toOption.flatMap { found =>
      val told = found.flatMap(_.toSeq).flatten.map(chunk => Try(tell(chunk)).toOption.flatten)
      Option.when(found.forall(_.nonEmpty) && told.forall(_.nonEmpty))(told.flatten)
    }

  /** The index of a column among the partition columns, which hide file columns; -1 if it is none. */
  private def folder(files: PlainFiles, column: Attribute): Int =
    files.relation.partitionSchema.indexWhere(_.name == column.name)

  /** None if a partition value is NULL. */
  private def folders(
      files: PlainFiles,
      listed: PlainFiles.Listed,
      column: Attribute): Option[ColumnCount] = {
    val place = folder(files, column)
    val values = listed.partitions.map(_._1.get(place, column.dataType)).distinct
    Option.unless(values.contains(null))(ColumnCount(0, values.length.toDouble, exact = true))
  }
}

private[multiway] object FooterCounts {

  /** The keys of an input by variable. */
  type Keys = Map[Int, Expression]

  private type Count = (PlainFiles, Attribute) => Option[ColumnCount]

  /** @param exact false if there may be fewer values */
  final private case class ColumnCount(nulls: Long, values: Double, exact: Boolean) {

    /** A function may map different values to one, and NULL to a value. */
    def of(key: Expression): ColumnCount =
      if (keepsApart(key)) this else copy(values = values + 1, exact = false)
  }

  private def keepsApart(key: Expression): Boolean = key match {
    case _: Attribute => true
    case Cast(column: Attribute, to, _, _) => Seq(column.dataType, to).forall(NumberRange.describes)
    case _ => false
  }
}
