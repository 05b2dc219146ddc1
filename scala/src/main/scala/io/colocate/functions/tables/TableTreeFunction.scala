package io.colocate.functions.tables

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types._

import io.colocate.functions.call.{Arguments, ReportFunction}
import io.colocate.tables.scan.LeafReads
import io.colocate.tables.tree.{Leaf, Node, Split}

/** `SELECT * FROM colocate_table_tree('/data/t')`: the nodes of its trees, each before its children. */
private[colocate] object TableTreeFunction
    extends ReportFunction("colocate_table_tree", Seq("table", "version"),
      "_FUNC_(table [, version]) - The nodes of the trees of a Colocate table: cuts, and leaves with" +
        " their files and how often a query of this driver has read them.",
      new StructType()
        .add("tree", IntegerType, nullable = false)
        .add("node", IntegerType, nullable = false)
        .add("parent", IntegerType, nullable = true)
        .add("depth", IntegerType, nullable = false)
        .add("column", StringType, nullable = true)
        .add("cut", StringType, nullable = true)
        .add("leaf", IntegerType, nullable = true)
        .add("files", IntegerType, nullable = true)
        .add("rows", LongType, nullable = true)
        .add("bytes", LongType, nullable = true)
        .add("reads", LongType, nullable = true)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val log = NamedTable.log(session, arguments)
    val snapshot = NamedTable.snapshot(log, arguments)
    snapshot.trees.flatMap { tree =>
      val byLeaf = snapshot.files.indices.filter(snapshot.files.tree(_) == tree.id)
        .groupBy(snapshot.files.leaf(_))
      val reads = LeafReads.of(log.path, tree.id)
      val found = Seq.newBuilder[Seq[Any]]
      var next = -1
      def visit(node: Node, parent: Any, depth: Int): Unit = {
        next += 1
        val number = next
        node match {
          case Leaf(id) =>
            val files = byLeaf.getOrElse(Some(id), Nil)
            found += Seq(tree.id, number, parent, depth, null, null, id, files.length,
              files.map(snapshot.files.rows).sum, files.map(snapshot.files.bytes).sum,
              reads.getOrElse(id, 0L))
          case Split(cut, left, right) =>
            found += Seq(tree.id, number, parent, depth, cut.column, cut.toString, null, null, null,
              null, null)
            visit(left, number, depth + 1)
            visit(right, number, depth + 1)
        }
      }
      visit(tree.root, null, 0)
      found.result()
    }
  }
}
