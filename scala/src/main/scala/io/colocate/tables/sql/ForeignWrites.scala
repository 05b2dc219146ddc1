package io.colocate.tables.sql

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.catalog.CatalogStorageFormat
import org.apache.spark.sql.catalyst.plans.logical.{InsertIntoDir, LogicalPlan}
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.command.{CreateDataSourceTableAsSelectCommand, InsertIntoDataSourceDirCommand}
import org.apache.spark.sql.execution.datasources.{InsertIntoHadoopFsRelationCommand, SaveIntoDataSourceCommand}
import org.apache.spark.sql.execution.streaming.sinks.FileStreamSink

import io.colocate.rule.PlanRule
import io.colocate.tables.format.{LogNames, NotSupported}
import io.colocate.tables.operations.WriteOptions
import io.colocate.tables.versions.RobustFileIndex

/**
 * Refuses to write files of another format into the folder of a Colocate table: an overwrite would
 * delete the table with all its versions, and added files would belong to no version.
 *
 * Commands that write elsewhere pass unchanged. Checking for a log costs each of them one look at the
 * file system.
 */
final case class ForeignWrites(session: SparkSession) extends PlanRule[LogicalPlan, LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan match {
      case command: InsertIntoHadoopFsRelationCommand =>
        if (!command.fileIndex.exists(_.isInstanceOf[RobustFileIndex]))
          refuse(command.outputPath, command.fileFormat.toString)
      case command: InsertIntoDataSourceDirCommand =>
        refuse(command.storage, "INSERT OVERWRITE DIRECTORY")
      case command: InsertIntoDir => refuse(command.storage, "INSERT OVERWRITE DIRECTORY")
      case command: CreateDataSourceTableAsSelectCommand
          if !CatalogCommands.isRobust(command.table) =>
        refuse(command.table.storage, command.table.provider.getOrElse(""))
      case command: SaveIntoDataSourceCommand if !command.dataSource.isInstanceOf[ColocateSource] =>
        CaseInsensitiveMap(command.options).get(WriteOptions.Path)
          .foreach(path => refuse(new Path(path), command.dataSource.getClass.getSimpleName))
      case stream: WriteToStream =>
        filesOf(stream).foreach(refuse(_, "a stream of files"))
      case _ =>
    }
    plan
  }

  /** Spark gives the folder of its sink in no other way. */
  private def filesOf(stream: WriteToStream): Option[Path] = stream.sink match {
    case sink: FileStreamSink =>
      Some(new Path(sink.toString.stripPrefix("FileSink[").stripSuffix("]")))
    case _ => None
  }

  private def refuse(storage: CatalogStorageFormat, what: String): Unit =
    storage.locationUri.foreach(uri => refuse(new Path(uri), what))

  private def refuse(folder: Path, what: String): Unit =
    if (holdsTable(folder))
      throw new NotSupported(s"To write $what into $folder, the folder of a Colocate table,",
        s"format(\"${ColocateSource.ShortName}\"), INSERT INTO the table, or another path")

  /** A path that is not on a file system, such as the URL of a database, holds no table. */
  private def holdsTable(folder: Path): Boolean = {
    val conf = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()
    try folder.getFileSystem(conf).exists(new Path(folder, LogNames.Folder))
    catch { case _: java.io.IOException => false }
  }
}
