package io.colocate.tables.operations

import scala.annotation.tailrec

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.facts.types.Orderable
import io.colocate.tables.format.InvalidOption
import io.colocate.tables.tree.{AlignedBuilder, CutColumn, Leaf, Node, PublishedBuilder, RobustTree, Sample, SizeDrivenBuilder, Split, TreeBuilder, TreeRequest, TwoPhaseBuilder}
import io.colocate.tables.write.{Drawn, DrawSample, RowSource}

/**
 * Builds the trees of a table from its first rows: draws a sample, decides how many leaves there should
 * be, and runs the construction that the options name.
 */
final class TreeGrowth private (
    options: TableOptions,
    cuttable: IndexedSeq[CutColumn],
    joinCuts: Option[Node],
    registry: Option[CutRegistry]) {

  import TreeGrowth._

  /**
   * One tree for each replica.
   *
   * @param firstId the id of the first tree
   */
  def apply(rows: RowSource, firstId: Int): Seq[RobustTree] = {
    val drawn = sample(rows)
    val build = upper(drawn).fold(builder(drawn))(new AlignedBuilder(_))
    checkSample(drawn)
    for ((columns, replica) <- shares.zipWithIndex) yield {
      RobustTree(firstId + replica, root(drawn, columns, build))
    }
  }

  /**
   * The subtree in place of a leaf with too many rows; a leaf again if its rows cannot be separated.
   *
   * @param rows    the rows of the leaf
   * @param replica the replica of the tree, counted from 0
   */
  def below(rows: RowSource, replica: Int): Node = {
    val drawn = sample(rows)
    // The cuts that are shared with other tables are above this leaf.
    val build =
      if (options.joinKey.isEmpty) builder(drawn)
      else new TwoPhaseBuilder(options.joinKey, levels = None, drawn.rows)
    root(drawn, shares(replica), build)
  }

  private def sample(rows: RowSource): Drawn = {
    val size = options.sampleRows.getOrElse(defaultSize)
    DrawSample(rows, cuttable, size, options.seed)
  }

  /** Fewer rows if there are many columns, as the driver holds them all. */
  private def defaultSize: Int = {
    val cells = cuttable.map(column => if (column.ofBytes) TextCells else 1).sum.max(1)
    TableOptions.DefaultSampleRows.min(MostCells / cells)
  }

  /** The cuts of the join key, if they are shared with other tables. */
  private def upper(drawn: Drawn): Option[Node] = joinCuts.orElse(registry.flatMap { shared =>
    shared.cuts.orElse {
      val key = options.joinKey.map(name => name -> name).toMap
      shared.keep(AlignedBuilder.upper(root(drawn, shares.head, builder(drawn)), key))
    }
  })

  private def root(drawn: Drawn, columns: Map[String, Double], build: TreeBuilder): Node = {
    val leaves = leavesFor(drawn)
    if (columns.isEmpty && options.joinKey.isEmpty) Leaf(0)
    else
      options.maxLeafRows match {
        case Some(most) => upTo(most, drawn, columns, build, leaves, MostTries)
        case None => build.build(TreeRequest(drawn.sample, columns, leaves))
      }
  }

  private def leavesFor(drawn: Drawn): Int = {
    val wanted = options.maxLeafRows match {
      case Some(most) => drawn.rows.toDouble / most
      case None => drawn.rows * drawn.rowBytes * DiskShare / options.targetFileBytes
    }
    math.ceil(wanted).toInt.max(1)
  }

  /** Leaves differ in size, so keeping each below a limit takes more than their mean number. */
  @tailrec
  private def upTo(
      most: Long,
      drawn: Drawn,
      columns: Map[String, Double],
      build: TreeBuilder,
      leaves: Int,
      tries: Int): Node = {
    val tree = build.build(TreeRequest(drawn.sample, columns, leaves))
    val heaviest = heaviestShare(tree, drawn.sample) * drawn.rows
    // Fewer leaves than asked for: the rest of the rows cannot be separated.
    if (heaviest <= most || tree.leaves.length < leaves || tries == 1) tree
    else upTo(most, drawn, columns, build, (leaves * 1.25).toInt + 1, tries - 1)
  }

  private def heaviestShare(tree: Node, sample: Sample): Double = {
    def visit(node: Node, rows: IndexedSeq[Int]): Int = node match {
      case Leaf(_) => rows.length
      case Split(cut, left, right) =>
        val parted = sample.parted(rows, cut)
        visit(left, parted.left).max(visit(right, parted.right))
    }
    visit(tree, sample.rows.indices).toDouble / sample.rows.length.max(1)
  }

  private def checkSample(drawn: Drawn): Unit = {
    val leaves = leavesFor(drawn)
    for (size <- options.sampleRows if size < leaves * LeastRowsPerLeaf && size < drawn.rows)
      throw new InvalidOption(TableOptions.SampleRows, size.toString,
        s"${leaves * LeastRowsPerLeaf} or more for $leaves leaves")
  }

  private def builder(drawn: Drawn): TreeBuilder = options.construction match {
    case TableOptions.Published => PublishedBuilder
    case _ if options.joinKey.nonEmpty =>
      new TwoPhaseBuilder(options.joinKey, options.joinLevels, drawn.rows)
    case _ => new SizeDrivenBuilder()
  }

  /** The columns beside the join key that may be cut. */
  private def shared: IndexedSeq[String] = cuttable.map(_.name).filterNot(options.joinKey.contains)
    .filter(name => options.columns.forall(_.contains(name)))

  /** A copy without a column of its own would serve no query better than another copy. */
  private def checkReplicas(): Unit = {
    val most = shared.length.max(1)
    if (options.replicas > most)
      throw new InvalidOption(TableOptions.Replicas, options.replicas.toString,
        s"1 to $most, as many as there are columns to share out (${shared.mkString(", ")})")
  }

  /** The weights of the columns that each replica's tree cuts, dealt out in the schema's order. */
  private def shares: Seq[Map[String, Double]] = {
    val weights = shared.map(name => name -> options.weights.getOrElse(name, 1.0))
    (0 until options.replicas).map { replica =>
      weights.zipWithIndex.collect { case (w, i) if i % options.replicas == replica => w }.toMap
    }
  }
}

object TreeGrowth {

  private val LeastRowsPerLeaf = 10

  private val MostTries = 6

  /** Most values in a default sample, about 200 MB in the driver. */
  private val MostCells = 4000000

  /** So many numbers take as much memory as one text. */
  private val TextCells = 8

  /** The size of a row in a Parquet file as a share of its size in memory, roughly. */
  private val DiskShare = 0.25

  /**
   * @param options options whose column names need not be spelled as in the schema
   * @param table   the path of the table
   * @param before  the tree that is replaced, if its cuts of the join key are reused
   * @throws InvalidOption for a column that does not exist or cannot be cut, for more replicas than such
   *                       columns, and for cuts of other join keys
   */
  def apply(
      session: SparkSession,
      options: TableOptions,
      schema: StructType,
      table: Path,
      before: Option[RobustTree] = None): TreeGrowth = {
    val names = new Names(session.sessionState.conf)
    def spelled(option: String)(name: String): String = {
      val field = names.find(schema, name)
        .getOrElse(throw new InvalidOption(option, name, schema.fieldNames.mkString(", ")))
      if (!Orderable(field.dataType))
        throw new InvalidOption(option, s"$name of type ${field.dataType.sql}",
          "columns of an atomic type with an order")
      field.name
    }
    val weights = options.weights.map { case (name, weight) =>
      spelled(TableOptions.Weights)(name) -> weight
    }
    val found = options.copy(joinKey = options.joinKey.map(spelled(TableOptions.JoinKey)),
      columns = options.columns.map(_.map(spelled(TableOptions.Columns))), weights = weights)
    val wanted = found.columns.fold(schema.fieldNames.toSet)(_.toSet ++ found.joinKey)
    val cuttable = CutColumn.among(schema.filter(f => wanted(f.name)))
    val registry = CutRegistry(session, found, schema, table)
    // Cuts of another key are refused here, before anything is written.
    registry.foreach(_.cuts)
    val cuts = before.flatMap(JoinCuts.own).orElse(JoinCuts(session, found, schema))
    val grow = new TreeGrowth(found, cuttable, cuts, registry)
    grow.checkReplicas()
    grow
  }
}
