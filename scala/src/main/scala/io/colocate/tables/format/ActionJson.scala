package io.colocate.tables.format

import com.fasterxml.jackson.databind.{DeserializationFeature, JsonNode}
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.databind.node.ObjectNode

import org.apache.spark.sql.types.{DataType, StructType}

import io.colocate.tables.tree.RobustTree

/** Actions as lines of JSON: one object, whose only field is named after the action. */
private[tables] object ActionJson {

  /** The type of a column, None for one that the schema does not have. */
  type Types = String => Option[DataType]

  val names: Seq[String] = Seq("protocol", "commit", "metadata", "treeAdded", "treeRemoved",
    "fileAdded", "fileRemoved", "streamBatch", "maintained", "vacuumed")

  private val mapper = JsonMapper.builder()
    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
    .build()

  /** An action that is not among [[names]]. */
  final class UnknownName(val name: String) extends RuntimeException(name)

  def parse(line: Array[Byte]): JsonNode = mapper.readTree(line)

  def write(action: Action, types: Types): Array[Byte] = {
    val line = mapper.createObjectNode()
    action match {
      case Protocol(format) => line.putObject("protocol").put("formatVersion", format)
      case info: CommitInfo => writeInfo(info, line.putObject("commit"))
      case metadata: Metadata => writeMetadata(metadata, line.putObject("metadata"))
      case TreeAdded(tree) =>
        val added = line.putObject("treeAdded").put("id", tree.id)
        tree.joinKey.foreach { key =>
          val columns = added.putArray("joinKey")
          key.foreach(columns.add(_))
        }
        TreeJson.write(tree.root, added.putObject("root"))
      case TreeRemoved(id) => line.putObject("treeRemoved").put("id", id)
      case file: FileAdded => writeFile(file, types, line.putObject("fileAdded"))
      case FileRemoved(path, removed, dataChange) =>
        line.putObject("fileRemoved").put("path", path).put("removed", removed)
          .put("dataChange", dataChange)
      case StreamBatch(query, batch) =>
        line.putObject("streamBatch").put("queryId", query).put("batchId", batch)
      case view: Maintained => writeView(view, line.putObject("maintained"))
      case Vacuumed(oldest, cutoff) =>
        line.putObject("vacuumed").put("oldestVersion", oldest).put("cutoff", cutoff)
    }
    mapper.writeValueAsBytes(line)
  }

  /**
   * @param types columns without a type are left out of the statistics
   * @throws UnknownName              for an action of another release
   * @throws IllegalArgumentException if the line is not an action for another reason
   */
  def read(line: JsonNode, types: Types): Action = {
    if (!line.isObject || line.size != 1) {
      throw new IllegalArgumentException(
        s"a line is ${line.toString.take(100)}; accepted: an action")
    }
    val entry = line.properties.iterator.next()
    val body = entry.getValue
    def fields(known: String*) = new JsonFields(entry.getKey, body, known: _*)
    entry.getKey match {
      case "protocol" => readProtocol(body)
      case "commit" => readInfo(body)
      case "metadata" => readMetadata(body)
      case "treeAdded" =>
        val tree = fields("id", "joinKey", "root")
        TreeAdded(RobustTree(tree.int("id"), TreeJson.read(tree.json("root")),
          Option.when(tree.has("joinKey"))(tree.texts("joinKey"))))
      case "treeRemoved" => TreeRemoved(fields("id").int("id"))
      case "fileAdded" => readFile(body, types)
      case "fileRemoved" =>
        val file = fields("path", "removed", "dataChange")
        FileRemoved(file.text("path"), file.long("removed"), file.flag("dataChange"))
      case "streamBatch" =>
        val batch = fields("queryId", "batchId")
        StreamBatch(batch.text("queryId"), batch.long("batchId"))
      case "maintained" => readView(body)
      case "vacuumed" =>
        val vacuumed = fields("oldestVersion", "cutoff")
        Vacuumed(vacuumed.long("oldestVersion"), vacuumed.long("cutoff"))
      case other => throw new UnknownName(other)
    }
  }

  /** A future format may have more fields, and must still be recognised as one. */
  private def readProtocol(body: JsonNode): Protocol = {
    val format = body.path("formatVersion")
    if (format.canConvertToInt && format.intValue > Protocol.Current.formatVersion)
      Protocol(format.intValue)
    else Protocol(new JsonFields("protocol", body, "formatVersion").int("formatVersion"))
  }

  private def writeInfo(info: CommitInfo, to: ObjectNode): Unit = {
    to.put("id", info.id).put("time", info.time).put("user", info.user)
      .put("operation", info.operation)
    JsonFields.put(to, "parameters", info.parameters)(_.put(_, _))
    JsonFields.put(to, "metrics", info.metrics)(_.put(_, _))
    to.put("engine", info.engine)
  }

  private def readInfo(body: JsonNode): CommitInfo = {
    val fields = new JsonFields("commit", body, "id", "time", "user", "operation", "parameters",
      "metrics", "engine")
    CommitInfo(fields.text("operation"), fields.map("parameters")((key, all) => all.text(key)),
      fields.map("metrics")((key, all) => all.long(key)), fields.text("user"),
      fields.text("engine"), fields.long("time"), fields.text("id"))
  }

  private def writeMetadata(metadata: Metadata, to: ObjectNode): Unit = {
    to.put("schema", metadata.schema.json)
    JsonFields.put(to, "options", metadata.options)(_.put(_, _))
    to.put("treeConfig", metadata.treeConfig).put("created", metadata.created)
  }

  private def readMetadata(body: JsonNode): Metadata = {
    val fields = new JsonFields("metadata", body, "schema", "options", "treeConfig", "created")
    val schema = DataType.fromJson(fields.text("schema")) match {
      case struct: StructType => struct
      case other => throw new IllegalArgumentException(s"the schema is ${other.sql}, not a struct")
    }
    Metadata(schema, fields.map("options")((key, all) => all.text(key)), fields.text("treeConfig"),
      fields.long("created"))
  }

  private def writeView(view: Maintained, to: ObjectNode): Unit = {
    to.put("query", view.query).put("policy", view.policy)
    JsonFields.put(to, "settings", view.settings)(_.put(_, _))
    to.put("plan", view.plan)
    JsonFields.put(to, "sources", view.sources) { (sources, path, of) =>
      sources.putObject(path).put("id", of.id).put("version", of.version)
    }
  }

  private def readView(body: JsonNode): Maintained = {
    val fields =
      new JsonFields("maintained", body, "query", "policy", "settings", "plan", "sources")
    val sources = fields.map("sources") { (path, all) =>
      val of = new JsonFields(s"maintained.sources.$path", all.json(path), "id", "version")
      SourceVersion(of.text("id"), of.long("version"))
    }
    Maintained(fields.text("query"), fields.text("policy"),
      fields.map("settings")((key, all) => all.text(key)), fields.text("plan"), sources)
  }

  private def writeFile(file: FileAdded, types: Types, to: ObjectNode): Unit = {
    to.put("path", file.path).put("tree", file.treeId)
    file.leaf.foreach(to.put("leaf", _))
    to.put("rows", file.rows).put("bytes", file.bytes).put("modified", file.modified)
      .put("dataChange", file.dataChange)
    JsonFields.put(to, "stats", file.stats) { (stats, column, of) =>
      val dataType = types(column).getOrElse(throw new IllegalArgumentException(
          s"${file.path} has statistics of '$column', which is no column of the table"))
      StatsJson.write(of, dataType, stats.putObject(column))
    }
  }

  private def readFile(body: JsonNode, types: Types): FileAdded = {
    val fields = new JsonFields("fileAdded", body, "path", "tree", "leaf", "rows", "bytes",
      "modified", "dataChange", "stats")
    val stats = fields.map("stats") { (column, all) =>
      types(column).map(StatsJson.read(column, all.json(column), _))
    }.collect { case (column, Some(known)) => column -> known }
    FileAdded(fields.text("path"), fields.int("tree"),
      Option.when(fields.has("leaf"))(fields.int("leaf")), fields.long("rows"),
      fields.long("bytes"), fields.long("modified"), stats, fields.flag("dataChange"))
  }
}
