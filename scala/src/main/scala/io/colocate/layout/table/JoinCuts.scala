package io.colocate.layout.table

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.StructType

import io.colocate.layout.log.{InvalidOption, TableLog}
import io.colocate.layout.tree.{AlignedBuilder, Node}

/** The option `joinCuts`: another table, by path or name, whose cuts of its join key are taken over. */
object JoinCuts {

  /**
   * The upper levels of a new tree; none where the option is not given.
   *
   * @param schema of the table that is made
   * @throws InvalidOption where the tables' join keys do not match
   */
  def apply(session: SparkSession, options: TableOptions, schema: StructType): Option[Node] =
    options.joinCuts.map { given_ =>
      def refuse(accepted: String) =
        throw new InvalidOption(TableOptions.JoinCuts, given_, accepted)
      val path = TableLocation(session, given_)
      val other = TableLog.open(path, session.sessionState.newHadoopConf()).snapshot()
      val key = TableOptions.parse(other.metadata.options).joinKey
      if (key.length != options.joinKey.length || key.isEmpty)
        refuse(s"a table with a joinKey of as many columns as ${options.joinKey.mkString(", ")}")
      val resolver = session.sessionState.conf.resolver
      def field(in: StructType, name: String) = in.find(f => resolver(f.name, name)).getOrElse(
        refuse(s"a table whose $name is among its columns"))
      val columns = key.zip(options.joinKey).map { case (theirs, ours) =>
        val (from, to) = (field(other.schema, theirs), field(schema, ours))
        if (from.dataType != to.dataType)
          refuse(s"a table whose $theirs is a ${to.dataType.sql}, as $ours is")
        from.name -> to.name
      }
      val tree = other.trees.maxByOption(_.id).getOrElse(refuse("a table with rows"))
      AlignedBuilder.upper(tree.root, columns.toMap)
    }
}
