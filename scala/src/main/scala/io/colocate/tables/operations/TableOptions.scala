package io.colocate.tables.operations

import scala.util.Try

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.types.{StructField, StructType}

import io.colocate.tables.format.{InvalidOption, Metadata}
import io.colocate.tables.queries.AdaptMode
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.RobustTree

/**
 * The layout of a table, as the user wrote it. Stored with the table, so that later writes use the same.
 *
 * @param joinKey         columns that the upper levels of the tree cut; empty for a tree of one phase
 * @param joinLevels      how many levels these are; None for half of all levels, or more for a large table
 * @param joinCuts        another table, whose cuts of its join key the upper levels reuse
 * @param cutRegistry     the name under which tables share the cuts of their join keys
 * @param columns         the columns that may be cut; None for all that can be cut
 * @param weights         the weight of a column among them; 1 if it is not named
 * @param maxLeafRows     most rows that a leaf should hold
 * @param targetFileBytes the size that a file of a leaf should have on disk
 * @param replicas        number of copies of the rows, each under a tree over other columns
 * @param construction    the name of the algorithm that builds the trees
 * @param sampleRows      rows that a tree is built from; None for [[TableOptions.DefaultSampleRows]].
 *                        The number of leaves is known only once they are drawn
 * @param seed            the seed of the sample
 * @param logRetentionHours how long the log keeps a version that is no longer the newest
 * @param adapt           whether queries are kept beside the table, see [[AdaptMode]]
 */
final case class TableOptions(
    joinKey: Seq[String] = Nil,
    joinLevels: Option[Int] = None,
    joinCuts: Option[String] = None,
    cutRegistry: Option[String] = None,
    columns: Option[Seq[String]] = None,
    weights: Map[String, Double] = Map.empty,
    maxLeafRows: Option[Long] = None,
    targetFileBytes: Long = TableOptions.DefaultFileBytes,
    replicas: Int = 1,
    construction: String = TableOptions.SizeDriven,
    sampleRows: Option[Int] = None,
    seed: Long = 0,
    logRetentionHours: Long = Metadata.LogRetentionHours,
    adapt: String = AdaptMode.Off) {

  /** How many times what it should hold a leaf has. */
  private[colocate] def timesFull(rows: Long, bytes: Long): Double =
    maxLeafRows.fold(bytes.toDouble / targetFileBytes)(rows.toDouble / _)

  /**
   * The same layout by another join key.
   *
   * @param cuts another table, whose cuts of its join key are reused
   */
  private[colocate] def withKey(key: Seq[String], cuts: Option[String] = None): TableOptions =
    copy(joinKey = key, joinLevels = None, joinCuts = cuts, cutRegistry = None)

  /** The columns of the join key, whose names must be spelled as in the schema. */
  private[tables] def keyIn(schema: StructType): StructType =
    StructType(joinKey.map(name => StructField(name, schema(name).dataType)))
}

object TableOptions {

  val DefaultFileBytes: Long = 32L << 20

  /** Enough for the medians of a few hundred leaves; more only take time. Fewer for many columns. */
  val DefaultSampleRows: Int = 30000

  /** The default: the heaviest leaf is cut first. */
  val SizeDriven: String = "sizeDriven"

  /** The published construction: level by level. */
  val Published: String = "published"

  /** A leaf that has more than so many times what it should is cut when it is written anew. */
  private[colocate] val TooFull: Double = 2

  val JoinKey: String = "joinKey"
  val JoinLevels: String = "joinLevels"
  val JoinCuts: String = "joinCuts"
  val CutRegistry: String = "cutRegistry"
  val Columns: String = "columns"
  val Weights: String = "weights"
  val MaxLeafRows: String = "maxLeafRows"
  val TargetFileBytes: String = "targetFileBytes"
  val Replicas: String = "replicas"
  val Construction: String = "construction"
  val SampleRows: String = "sampleRows"
  val Seed: String = "seed"
  val LogRetentionHours: String = "logRetentionHours"

  /** The options that describe a table's layout. */
  val names: Seq[String] = Seq(JoinKey, JoinLevels, JoinCuts, CutRegistry, Columns, Weights,
    MaxLeafRows, TargetFileBytes, Replicas, Construction, SampleRows, Seed, LogRetentionHours,
    AdaptMode.Name)

  /** The options among these that describe a layout, spelled as in [[names]]. */
  def among(options: Map[String, String]): Map[String, String] =
    options.flatMap { case (key, value) => spelled(key).map(_ -> value) }

  /** The options that do not describe a layout. */
  def beside(options: Map[String, String]): Map[String, String] =
    options.filter { case (key, _) => spelled(key).isEmpty }

  private def spelled(key: String): Option[String] = names.find(_.equalsIgnoreCase(key))

  /**
   * A layout may be repeated, but an operation that leaves the table's rows in place cannot change it.
   *
   * @param there the options of the table
   * @param table its path
   * @throws InvalidOption for a layout option that means something else than the table's own
   */
  def requireSame(options: Map[String, String], there: Map[String, String], table: String): Unit =
    among(options).foreach { case (name, value) =>
      val own = there.get(name)
      if (parse(Map(name -> value)) != parse(own.map(name -> _).toMap))
        throw new InvalidOption(name, value,
          s"what the table at $table was made with, ${own.getOrElse("the default")}")
    }

  /**
   * The options of a new layout.
   *
   * @param resolver whether two spellings mean one column
   * @throws InvalidOption for a value that is not accepted, or that contradicts another one
   */
  private[tables] def checked(options: Map[String, String], resolver: Resolver): TableOptions = {
    val parsed = parse(options)
    contradictions(parsed, CaseInsensitiveMap(options), resolver)
    parsed
  }

  /**
   * The layout of a table as it is now: that of its options, but for the join key if the table has moved
   * to another one ([[RobustTree.joinKey]]). What the options say of levels and cuts is about theirs.
   */
  private[colocate] def of(snapshot: Snapshot): TableOptions =
    of(snapshot.metadata, snapshot.trees.maxByOption(_.id))

  /** @param tree the tree that is about to be changed or replaced */
  private[colocate] def of(metadata: Metadata, tree: Option[RobustTree]): TableOptions = {
    val named = parse(metadata.options)
    tree.flatMap(_.joinKey).fold(named)(named.withKey(_))
  }

  /** True for options that say how the join key is cut. */
  private[tables] def nameKey(options: Map[String, String]): Boolean =
    among(options).keys.exists(Set(JoinKey, JoinLevels, JoinCuts, CutRegistry))

  /** @throws InvalidOption for a value that is not accepted */
  def parse(options: Map[String, String]): TableOptions = {
    val given_ = CaseInsensitiveMap(options)
    def read[T](name: String, accepted: String)(parse: String => Option[T]): Option[T] =
      given_.get(name).map(text =>
        parse(text.trim).getOrElse(throw new InvalidOption(name, text, accepted)))
    def number(name: String, least: Int) =
      read(name, s"a whole number from $least")(_.toIntOption.filter(_ >= least))
    def columns(name: String) =
      read(name, s"column names, separated by commas, $Quoted")(ColumnNames.list)
    val construction = read(Construction, s"$SizeDriven, $Published") { text =>
      Seq(SizeDriven, Published).find(_.equalsIgnoreCase(text))
    }
    val weighted = read(Weights, s"column=weight, ... with weights above 0, $Quoted")(weights)
    val mostRows = read(MaxLeafRows, "a whole number from 1")(_.toLongOption.filter(_ >= 1))
    val fileBytes = read(TargetFileBytes, "a size from 1 byte, such as 32m")(size)
    TableOptions(joinKey = columns(JoinKey).getOrElse(Nil),
      joinLevels = number(JoinLevels, least = 1),
      joinCuts = given_.get(JoinCuts).filter(_.trim.nonEmpty),
      cutRegistry = read(CutRegistry,
        "a name of letters, digits, '_' and '-', or a path that ends in one")(text =>
        Some(text).filter(_.matches("(.*/)?[A-Za-z0-9][A-Za-z0-9_-]*"))),
      columns = columns(Columns), weights = weighted.getOrElse(Map.empty), maxLeafRows = mostRows,
      targetFileBytes = fileBytes.getOrElse(DefaultFileBytes),
      replicas = number(Replicas, least = 1).getOrElse(1),
      construction = construction.getOrElse(SizeDriven), sampleRows = number(SampleRows, least = 1),
      seed = read(Seed, "a whole number")(_.toLongOption).getOrElse(0L),
      logRetentionHours = number(LogRetentionHours, least = 1).fold(Metadata.LogRetentionHours)(
        _.toLong),
      adapt = read(AdaptMode.Name, AdaptMode.names.mkString(", "))(AdaptMode.parse)
        .getOrElse(AdaptMode.Off))
  }

  private def contradictions(
      options: TableOptions,
      given_ : Map[String, String],
      resolver: Resolver): Unit = {
    def named(columns: Seq[String], name: String): Boolean = columns.exists(resolver(_, name))
    def refuse(name: String, accepted: String): Nothing =
      throw new InvalidOption(name, given_.getOrElse(name, ""), accepted)
    if (given_.contains(MaxLeafRows) && given_.contains(TargetFileBytes))
      refuse(MaxLeafRows, s"either it or $TargetFileBytes")
    if (options.joinLevels.nonEmpty && options.joinKey.isEmpty)
      refuse(JoinLevels, s"only together with $JoinKey")
    if (options.joinCuts.nonEmpty && (options.joinKey.isEmpty || options.joinLevels.nonEmpty))
      refuse(JoinCuts, s"only together with $JoinKey and without $JoinLevels")
    if (options.cutRegistry.nonEmpty && (options.joinKey.isEmpty || options.joinCuts.nonEmpty))
      refuse(CutRegistry, s"only together with $JoinKey and without $JoinCuts")
    if (options.construction == Published && options.joinKey.nonEmpty)
      refuse(Construction, s"$SizeDriven together with $JoinKey")
    for ((option, columns) <- Seq(JoinKey -> options.joinKey,
        Columns -> options.columns.getOrElse(Nil), Weights -> options.weights.keys.toSeq))
      for (name <- columns.find(name => columns.count(resolver(_, name)) > 1))
        refuse(option, s"each column once; $name is there twice")
    for (name <- options.weights.keys.find(named(options.joinKey, _)))
      refuse(Weights,
        s"columns beside those of $JoinKey, which have levels of their own; $name is among them")
    for (columns <- options.columns; name <- options.weights.keys.find(!named(columns, _)))
      refuse(Weights, s"columns that $Columns names; $name is not among them")
  }

  private val Quoted = "in backticks where a name holds a comma or an equals sign"

  private def weights(text: String): Option[Map[String, Double]] =
    ColumnNames.valued(text).map(_.map { case (name, number) =>
      name -> number.toDoubleOption.filter(w => w > 0 && !w.isInfinite)
    }).filter(_.forall(_._2.nonEmpty)).map(_.map { case (name, w) => name -> w.get }.toMap)

  private def size(text: String): Option[Long] =
    Try(JavaUtils.byteStringAsBytes(text)).toOption.filter(_ >= 1)
}
