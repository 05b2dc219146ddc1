package io.colocate.adapt.keys

import scala.collection.mutable
import scala.util.Try

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.classic.SparkSession

import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.{Names, TableOptions}
import io.colocate.tables.snapshot.Snapshot

/** The keys that other tables are laid out by now. Each is opened once, when it is first asked for. */
final class OtherKeys(session: SparkSession) extends (String => Seq[String]) {

  private val known = mutable.HashMap.empty[String, Seq[String]]

  /** Empty for a table without a key or without rows, and for one that cannot be opened. */
  override def apply(table: String): Seq[String] =
    known.getOrElseUpdate(table, Try(of(table)).getOrElse(Nil))

  private def of(table: String): Seq[String] = {
    val log = TableLog.open(new Path(table), session.sessionState.newHadoopConf())
    val newest = log.snapshot()
    if (newest.files.isEmpty) Nil else OtherKeys.spelled(session, newest)
  }
}

object OtherKeys {

  /** The key that a version of a table is laid out by, its columns spelled as in the schema. */
  def spelled(session: SparkSession, of: Snapshot): Seq[String] = {
    val names = new Names(session.sessionState.conf)
    val key = TableOptions.of(of).joinKey
    val found = key.flatMap(names.find(of.schema, _)).map(_.name)
    if (found.length == key.length) found else Nil
  }
}
