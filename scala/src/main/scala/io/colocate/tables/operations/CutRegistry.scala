package io.colocate.tables.operations

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.rule.ColocateConf
import io.colocate.tables.format.{CutsFile, InvalidOption, LogStore, SharedCuts}
import io.colocate.tables.tree.{Leaf, Node}

/**
 * The option `cutRegistry`: cuts of join keys that tables share by a name. The first table that cuts
 * its key leaves the cuts there; all others, and every later overwrite, take them over.
 *
 * {{{
 *   /data/_orderkey.cuts.json     o_orderkey <= 100, ...
 *   /data/orders                  joinKey o_orderkey, cutRegistry orderkey
 *   /data/lineitem                joinKey l_orderkey, cutRegistry orderkey
 * }}}
 *
 * The cuts lie beside the tables and not in one of them, so that they outlive each: an overwrite of
 * `orders` would else cut anew, and the blocks of `lineitem` would no longer align. Vacuum and Spark's
 * readers pass over files whose names begin with `_`.
 *
 * @param key    the join key of the table that is written
 * @param levels how many levels of cuts it asks for
 */
final class CutRegistry private (
    file: CutsFile,
    given_ : String,
    key: StructType,
    levels: Option[Int]) {

  /** What tables before have left, as cuts of this table's key. */
  def cuts: Option[Node] = file.read().map(taken)

  /** Leaves the cuts of a first tree, unless it has none; gives those that are there then. */
  def keep(own: Node): Option[Node] = own match {
    case Leaf(_) => None
    case _ =>
      file.put(SharedCuts(key, levels, own))
      cuts
  }

  private def taken(shared: SharedCuts): Node = {
    if (levels.nonEmpty && levels != shared.levels)
      throw new InvalidOption(TableOptions.JoinLevels, levels.mkString,
        s"none, or what the cuts in ${file.path} were made with, " +
          shared.levels.getOrElse("the default"))
    JoinCuts.renamed(shared.key, key, shared.root) { what =>
      throw new InvalidOption(TableOptions.CutRegistry, given_,
        s"cuts $what; there are others in ${file.path}")
    }
  }
}

object CutRegistry {

  /**
   * None where the option is not given.
   *
   * @param table  the path of the table that is written: a name without a slash is one of its folder
   * @param schema of that table
   */
  def apply(
      session: SparkSession,
      options: TableOptions,
      schema: StructType,
      table: Path): Option[CutRegistry] =
    options.cutRegistry.map { given_ =>
      val conf = session.sessionState.newHadoopConf()
      val place =
        if (given_.contains("/")) new Path(given_) else new Path(folder(table, given_), given_)
      val whole = place.getFileSystem(conf).makeQualified(place)
      val store =
        LogStore(whole.getParent, conf, ColocateConf.LayoutSingleWriter(session.sessionState.conf))
      new CutRegistry(new CutsFile(store, s"_${whole.getName}.cuts.json"), given_,
        options.keyIn(schema), options.joinLevels)
    }

  private def folder(table: Path, given_ : String): Path =
    Option(table.getParent).getOrElse(throw new InvalidOption(TableOptions.CutRegistry, given_,
      s"a path, as no folder holds the table $table"))
}
