package io.colocate.claims.declared

import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, PartitioningAwareFileIndex}

import io.colocate.facts.proved.TableVersion

/**
 * Files without versions, as one scan reads them: which they are, and the format, options and schema that
 * make rows of them.
 *
 * @param files as they are listed now
 */
final private case class FilesVersion(files: FileListing, reading: Seq[Any]) extends TableVersion {
  override def toString: String = s"${files.size} files"
}

private object FilesVersion {

  /** None if the files are not listed yet, or their index is not known. */
  def of(relation: HadoopFsRelation): Option[TableVersion] = relation.location match {
    case index: PartitioningAwareFileIndex =>
      Some(FilesVersion(FileListing.of(index),
        Seq(relation.fileFormat.getClass.getName, relation.options, relation.dataSchema,
          relation.partitionSchema)))
    case _ => None
  }
}
