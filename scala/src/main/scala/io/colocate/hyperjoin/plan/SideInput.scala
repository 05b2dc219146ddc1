package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.colocate.hyperjoin.exec.{FileGroups, TaskRanges}

/** How the rows of one side come to the tasks of a join. */
sealed private[hyperjoin] trait SideInput

private[hyperjoin] object SideInput {

  /**
   * Each task reads a group of files.
   *
   * @param together a column of which equal values are read by one task, if there is one
   */
  final case class Files(groups: FileGroups, together: Option[Attribute]) extends SideInput

  /** A shuffle brings each row to the task in whose range its key lies. */
  final case class Shuffle(key: Expression, ranges: TaskRanges) extends SideInput
}
