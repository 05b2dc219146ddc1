package io.colocate.hyperjoin.plan

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.colocate.hyperjoin.exec.{FileGroups, TaskRanges}

/** How the tasks of a join get the rows of one side. */
sealed private[hyperjoin] trait SideInput

private[hyperjoin] object SideInput {

  /**
   * Each task reads a group of files.
   *
   * @param together a column whose equal values are all read by one task, if there is one
   */
  final case class Files(groups: FileGroups, together: Option[Attribute]) extends SideInput

  /** A shuffle sends each row to the task whose range contains its key. */
  final case class Shuffle(key: Expression, ranges: TaskRanges) extends SideInput
}
