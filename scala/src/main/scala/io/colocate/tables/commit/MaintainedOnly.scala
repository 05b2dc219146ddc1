package io.colocate.tables.commit

/**
 * The rows of a maintained view are those of its query, so that only a refresh may change them, or their
 * columns.
 *
 * {{{
 *   refresh      changes rows, says of which versions of the sources they are     committed
 *   compaction   keeps the rows                                                  committed
 *   INSERT       changes rows, says nothing                                      refused
 * }}}
 */
private[tables] object MaintainedOnly {

  def refuses(commit: Commit): Boolean =
    commit.base.exists(_.view.nonEmpty) && commit.view.isEmpty && changes(commit)

  private def changes(commit: Commit): Boolean =
    commit.added.exists(_.dataChange) || commit.removed.exists(_.dataChange) ||
      commit.metadata.exists(after => commit.base.exists(_.schema != after.schema))
}
