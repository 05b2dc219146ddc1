package io.colocate.tables.operations

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.tables.commit.TableLog
import io.colocate.tables.format.InvalidOption
import io.colocate.tables.tree.{AlignedBuilder, Leaf, Node, RobustTree}

/** The option `joinCuts`: another table, by path or name, whose cuts of its join key are reused. */
object JoinCuts {

  /**
   * The upper levels of a new tree; None if the option is not set.
   *
   * @param schema the schema of the new table
   * @throws InvalidOption if the tables' join keys do not match
   */
  def apply(session: SparkSession, options: TableOptions, schema: StructType): Option[Node] =
    options.joinCuts.map { given_ =>
      def refuse(accepted: String) =
        throw new InvalidOption(TableOptions.JoinCuts, given_, accepted)
      val path = TableLocation(session, given_)
      val other = TableLog.open(path, session.sessionState.newHadoopConf()).snapshot()
      val resolver = session.sessionState.conf.resolver
      val key = TableOptions.of(other).joinKey.map { name =>
        other.schema.find(f => resolver(f.name, name)).getOrElse(
          refuse(s"a table whose $name is among its columns"))
      }
      val tree = other.trees.filter(_ => other.files.nonEmpty).maxByOption(_.id)
        .getOrElse(refuse("a table with rows"))
      renamed(StructType(key), options.keyIn(schema), tree.root)(what => refuse(s"a table $what"))
    }

  /**
   * The upper levels of a tree by a key that the table has moved to: they are those of the table that it
   * is joined to, so that the next tree keeps to them. None if the table has not moved, or is not cut.
   */
  private[tables] def own(tree: RobustTree): Option[Node] = tree.joinKey
    .map(key => AlignedBuilder.upper(tree.root, key.map(name => name -> name).toMap))
    .filterNot(_.isInstanceOf[Leaf])

  /**
   * The cuts of a join key as cuts of another key.
   *
   * @param refuse raises an error that says what is accepted, if the keys do not match
   */
  private[tables] def renamed(from: StructType, to: StructType, tree: Node)(
      refuse: String => Nothing): Node = {
    if (from.length != to.length || from.isEmpty)
      refuse(s"with a joinKey of as many columns as ${to.fieldNames.mkString(", ")}")
    val columns = from.zip(to).map { case (theirs, ours) =>
      if (theirs.dataType != ours.dataType)
        refuse(s"whose ${theirs.name} is a ${ours.dataType.sql}, as ${ours.name} is")
      theirs.name -> ours.name
    }
    AlignedBuilder.upper(tree, columns.toMap)
  }
}
