package io.colocate.claims.declared

import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, PartitioningAwareFileIndex}

import io.colocate.facts.proved.TableVersion

/**
 * Files without versions, as one scan reads them: their paths, sizes and times of modification, and the
 * format, options and schema that make rows of them.
 *
 * @param files as they are listed now: a write in the same session changes the index in place
 */
final private case class FilesVersion(files: Set[FilesVersion.File], reading: Seq[Any])
    extends TableVersion {
  override def toString: String = s"${files.size} files"
}

private object FilesVersion {

  final case class File(path: String, bytes: Long, modified: Long)

  /** None if the files are not listed yet, or their index is not known. */
  def of(relation: HadoopFsRelation): Option[TableVersion] = relation.location match {
    case index: PartitioningAwareFileIndex =>
      val files =
        index.allFiles().map(f => File(f.getPath.toString, f.getLen, f.getModificationTime))
      Some(FilesVersion(files.toSet,
        Seq(relation.fileFormat.getClass.getName, relation.options, relation.dataSchema,
          relation.partitionSchema)))
    case _ => None
  }
}
