package io.colocate.tables.format

import java.io.{FileNotFoundException, IOException}

import scala.util.Using

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.json.JsonMapper

import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.tables.tree.Node

/**
 * Cuts of a join key that several tables share.
 *
 * @param key    the columns, as named in the table that wrote the cuts
 * @param levels how many levels that table asked for
 * @param root   the cuts; below their leaves each table has cuts of its own
 */
final case class SharedCuts(key: StructType, levels: Option[Int], root: Node)

/**
 * A file of shared cuts. Like a version of a table it appears whole or not at all, never changes, and if
 * several writers create it at once, one succeeds.
 */
final class CutsFile(store: LogStore, name: String) {

  /** The whole path, for errors. */
  def path: String = store.path(name)

  /** None if no table has written cuts yet. */
  def read(): Option[SharedCuts] =
    try
      Using.resource(store.open(name)) { in =>
        Some(CutsFile.parse(CutsFile.mapper.readTree(in)))
      }
    catch {
      case _: FileNotFoundException => None
      case e @ (_: IOException | _: IllegalArgumentException | _: ArithmeticException) =>
        throw new CutsUnreadable(path, LogDamaged.describe(e), Some(e))
    }

  /** Writes cuts if there are none yet. */
  def put(cuts: SharedCuts): Unit =
    store.putIfAbsent(name)(out => out.write(CutsFile.write(cuts)))
}

private[tables] object CutsFile {

  private val Format = 1
  private val Names = Seq("formatVersion", "key", "joinLevels", "cuts")
  private val mapper = JsonMapper.builder().build()

  def write(cuts: SharedCuts): Array[Byte] = {
    val json = mapper.createObjectNode().put("formatVersion", Format)
    json.set[JsonNode]("key", mapper.readTree(cuts.key.json))
    cuts.levels.foreach(json.put("joinLevels", _))
    TreeJson.write(cuts.root, json.putObject("cuts"))
    mapper.writeValueAsBytes(json)
  }

  def parse(json: JsonNode): SharedCuts = {
    // A later format may have other fields.
    val format = Option(json.get("formatVersion")).map(_.asInt).getOrElse(Format)
    if (format > Format)
      throw new IllegalArgumentException(
        s"it is in format $format, and this release of Colocate reads formats up to $Format")
    val fields = new JsonFields("the file", json, Names: _*)
    val key = DataType.fromJson(fields.json("key").toString).asInstanceOf[StructType]
    val levels = Option.when(fields.has("joinLevels"))(fields.int("joinLevels"))
    SharedCuts(key, levels, TreeJson.read(fields.json("cuts")))
  }
}
