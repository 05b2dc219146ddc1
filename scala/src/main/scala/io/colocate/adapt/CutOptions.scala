package io.colocate.adapt

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.operations.{Names, TableOptions}
import io.colocate.tables.snapshot.Snapshot
import io.colocate.tables.tree.CutColumn

/** What a table's options say of its cuts, with the names of columns as its schema spells them. */
final class CutOptions(session: SparkSession, base: Snapshot) {

  private val names = new Names(session.sessionState.conf)
  private val layout = TableOptions.of(base)
  private val weighed = layout.weights.map { case (name, weight) => spelled(name) -> weight }

  val joinKey: Seq[String] = layout.joinKey.map(spelled)

  /** The columns that a sample has to have besides those that are filtered by. */
  def named: Set[String] = weighed.keySet

  /** The columns that may be cut anew, with what the table was told of how often they are filtered by. */
  def weights(columns: Seq[CutColumn]): Map[String, Double] = columns.map(_.name)
    .filterNot(joinKey.contains)
    .filter(name => layout.columns.forall(_.map(spelled).contains(name)))
    .map(name => name -> weighed.getOrElse(name, 1.0)).toMap

  private def spelled(name: String): String =
    names.find(base.schema, name).fold(name)(_.name)
}
