package io.colocate.tables.operations

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.rule.ColocateConf
import io.colocate.tables.format.{CutsFile, InvalidOption, LogStore, SharedCuts}
import io.colocate.tables.tree.{Leaf, Node}

/**
 * The option `cutRegistry`: cuts of join keys that tables share under a name. The first table that cuts
 * its key stores its cuts; all other tables, and every later overwrite, reuse them.
 *
 * {{{
 *   /data/_orderkey.cuts.json     o_orderkey <= 100, ...
 *   /data/orders                  joinKey o_orderkey, cutRegistry orderkey
 *   /data/lineitem                joinKey l_orderkey, cutRegistry orderkey
 * }}}
 *
 * The cuts are stored beside the tables and not in one of them, so that they outlive each table:
 * otherwise an overwrite of `orders` would choose new cuts, and the blocks of `lineitem` would no longer
 * align. Vacuum and Spark's readers ignore files whose names begin with `_`.
 *
 * @param key    the join key of the table that is written
 * @param levels how many levels of cuts it asks for
 */
final class CutRegistry private (
    file: CutsFile,
    given_ : String,
    key: StructType,
    levels: Option[Int]) {

  /** The cuts that earlier tables have stored, as cuts of this table's key. */
  def cuts: Option[Node] = file.read().map(taken)

  /** Stores the cuts of the first tree, unless it has none; returns the cuts that are stored then. */
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
   * None if the option is not set.
   *
   * @param table  the path of the table that is written; a registry name without a slash is in its
   *               parent folder
   * @param schema the schema of that table
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
