package io.colocate.adapt.ledger

import java.io.FileNotFoundException
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** Where the account of each tree of a table is kept. */
trait LedgerStore {

  /** The account of a tree; if there is none, whether one was there that cannot be read. */
  def read(tree: Int): Either[Boolean, Ledger]

  def write(tree: Int, ledger: Ledger): Unit
}

/**
 * One small file for each tree, beside the table: `_queries/baseline-<tree>.json.gz`. Spark does not see
 * it, as its folder begins with an underscore. It is no part of the table: without it there is no
 * account, and nothing else is missing.
 */
final class LedgerFiles(table: Path, conf: Configuration, json: LedgerJson) extends LedgerStore {

  private val fs = table.getFileSystem(conf)

  override def read(tree: Int): Either[Boolean, Ledger] =
    try Using.resource(new GZIPInputStream(fs.open(file(tree)))) { in =>
        Right(json.read(new String(in.readAllBytes(), UTF_8)))
      }
    catch {
      case _: FileNotFoundException => Left(false)
      case NonFatal(_) => Left(true)
    }

  override def write(tree: Int, ledger: Ledger): Unit =
    Using.resource(new GZIPOutputStream(fs.create(file(tree), true)))(
      _.write(json.write(ledger).getBytes(UTF_8)))

  private def file(tree: Int) = new Path(new Path(table, "_queries"), s"baseline-$tree.json.gz")
}
