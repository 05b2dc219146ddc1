package io.colocate.adapt.ledger

import java.io.FileNotFoundException
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.colocate.tables.queries.QueryFiles

/**
 * One small file for each tree, beside the table: `_queries/baseline-<tree>.json.gz`. Spark does not see
 * it, as its folder begins with an underscore. It is no part of the table: without it there is no
 * account, and nothing else is missing.
 */
final class LedgerFiles(table: Path, conf: Configuration, json: LedgerJson) {

  private val folder = new Path(table, QueryFiles.Folder)
  private val fs = table.getFileSystem(conf)

  /** The account of a tree; if there is none, whether one was there that cannot be read. */
  def read(tree: Int): Either[Boolean, Ledger] =
    try
      Using.resource(new GZIPInputStream(fs.open(file(tree)))) { in =>
        Right(json.read(new String(in.readAllBytes(), UTF_8)))
      }
    catch {
      case _: FileNotFoundException => Left(false)
      case NonFatal(_) => Left(true)
    }

  def write(tree: Int, ledger: Ledger): Unit =
    Using.resource(new GZIPOutputStream(fs.create(file(tree), true)))(
      _.write(json.write(ledger).getBytes(UTF_8)))

  /** Removes the accounts of other trees, which are there no more. */
  def keep(trees: Set[Int]): Unit =
    fs.listStatus(folder).map(_.getPath).foreach { file =>
      LedgerFiles.Name.findFirstMatchIn(file.getName).map(_.group(1).toInt)
        .filterNot(trees).foreach(_ => fs.delete(file, false))
    }

  private def file(tree: Int) = new Path(folder, s"baseline-$tree.json.gz")
}

private object LedgerFiles {
  private val Name = """^baseline-(\d{1,9})\.json\.gz$""".r
}
