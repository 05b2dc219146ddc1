package io.colocate.tables.commit

import io.colocate.tables.format.{ActionJson, FileAdded, Isolation, LogNames, StreamBatch, Vacuumed}
import io.colocate.tables.tree.RobustTree

/** Rules for every commit, independent of other writers. A violation is a mistake of the caller. */
private[tables] object CommitRules {

  /** What is wrong with a commit, None if nothing is. */
  def problem(commit: Commit): Option[String] =
    shape(commit).orElse(files(commit)).orElse(trees(commit)).orElse(schema(commit))
      .orElse(if (commit.isolation == Isolation.Layout) sameRows(commit) else None)

  private def shape(commit: Commit): Option[String] = {
    import commit._
    if (infos.length != 1) Some(s"it has ${infos.length} CommitInfo; accepted: 1")
    else if (base.isEmpty && metadata.isEmpty) Some("it makes a table and has no Metadata")
    else if (isolation == Isolation.Append && removed.nonEmpty) Some("an append removes files")
    else oldBatch(commit)
  }

  /** A batch is written once. A streaming writer must look up the newest batch first. */
  private def oldBatch(commit: Commit): Option[String] = commit.batches.flatMap {
    case StreamBatch(query, batch) =>
      commit.base.flatMap(_.batches.get(query)).filter(batch <= _).map(newest =>
        s"it writes batch $batch of $query, and version ${commit.readVersion} has batch $newest")
  }.headOption

  private def files(commit: Commit): Option[String] = {
    import commit._
    val twice = added.map(_.path).diff(added.map(_.path).distinct).headOption
    twice.map(path => s"it adds $path twice")
      .orElse(added.find(file => !below(file.path)).map(file =>
          s"the path '${file.path}' is not one below the table"))
      .orElse(added.find(file => livePaths(file.path) && !removedPaths(file.path)).map(file =>
          s"it adds ${file.path}, which is there already"))
      .orElse(removedPaths.find(!livePaths(_)).map(path =>
          s"it removes $path, which version $readVersion does not have"))
      .orElse(added.iterator.flatMap(unknownColumn(_, types)).nextOption())
      .orElse(base.flatMap(_.vacuumed).flatMap(vacuumed => mayBeGone(commit, vacuumed)))
  }

  private def unknownColumn(file: FileAdded, types: ActionJson.Types): Option[String] =
    file.stats.keys.find(types(_).isEmpty).map(column =>
      s"${file.path} has statistics of '$column', which is no column of the table")

  /** True for a relative path that neither goes upwards nor is in the log. */
  private def below(path: String): Boolean = {
    val parts = path.split("/", -1)
    !parts.exists(part => part.isEmpty || part == "." || part == "..") &&
    parts.head != LogNames.Folder
  }

  /** A file that a vacuum may have taken for an orphan can no longer be added. */
  def mayBeGone(commit: Commit, vacuumed: Vacuumed): Option[String] = {
    import commit._
    added.find(file => file.modified <= vacuumed.cutoff && !livePaths(file.path)).map(file =>
      s"it adds ${file.path}, which is so old that a vacuum may have removed it")
  }

  private def trees(commit: Commit): Option[String] = {
    import commit._
    val before = base.fold(Seq.empty[(Int, Set[Int])])(_.trees.map(leaves))
    val standing = (before.filterNot(tree => treesRemoved(tree._1)) ++
      treesAdded.map(added => leaves(added.tree))).toMap
    def routed(file: FileAdded) =
      file.leaf.forall(leaf => standing.get(file.treeId).exists(_.contains(leaf)))
    treesRemoved.find(isNew).map(id => s"it removes tree $id, which is not there")
      .orElse(usedAgain(commit))
      .orElse(added.find(!routed(_)).map(file =>
          s"${file.path} is for leaf ${file.leaf.get} of tree ${file.treeId}, which is not there"))
      .orElse(astray(commit))
      .orElse(copies(commit, standing.keySet))
  }

  /** Another writer may have read the tree or leaf that had the id, and be about to add rows of it. */
  private def usedAgain(commit: Commit): Option[String] = {
    import commit._
    treesAdded.map(_.tree).flatMap { tree =>
      base.flatMap(_.tree(tree.id)) match {
        case Some(before) =>
          val highest = before.leafIds.max
          val fresh = tree.leafIds.filterNot(before.leafIds.toSet)
          fresh.find(_ < highest).map(leaf =>
            s"it makes a leaf $leaf in tree ${tree.id}, and leaves up to $highest have been there")
            .orElse(Option.when(tree.leafIds.max < highest)(
                s"it removes leaf $highest of tree ${tree.id} and makes none, so its id would be free"))
        case None =>
          base.flatMap(_.highestTree).filter(tree.id <= _).map(highest =>
            s"it makes a tree ${tree.id}, and trees up to $highest have been there")
      }
    }.headOption
  }

  /** If a file has rows outside the ranges of its leaf, filters would skip them. */
  private def astray(commit: Commit): Option[String] = {
    import commit._
    val newer = treesAdded.map(added => added.tree.id -> added.tree).toMap
    added.groupBy(_.treeId).iterator.flatMap { case (id, files) =>
      val tree = newer.get(id).orElse(base.flatMap(_.tree(id)))
      tree.map(found => new WithinLeaf(found.root, types)).iterator
        .flatMap(leaves => files.iterator.flatMap(leaves.problem))
    }.nextOption()
  }

  /** Trees that are copies of each other must get equally many rows. */
  private def copies(commit: Commit, trees: collection.Set[Int]): Option[String] = {
    val added = commit.added.filter(_.dataChange).groupMapReduce(_.treeId)(_.rows)(_ + _)
    val rows = trees.toSeq.sorted.map(added.getOrElse(_, 0L))
    Option.when(commit.after.exists(_.replicated) && rows.distinct.length > 1)(
      s"it adds ${rows.mkString(" and ")} rows to trees that are copies of each other")
  }

  private def leaves(tree: RobustTree): (Int, Set[Int]) =
    tree.id -> tree.leafIds.toSet

  /** A column must keep its type while files stay, because their statistics have the types of the schema. */
  private def schema(commit: Commit): Option[String] = for {
    before <- commit.base
    after <- commit.metadata
    (column, was) <- before.metadata.types.find { case (name, dataType) =>
      after.types.get(name).exists(_ != dataType)
    }
    kept <- before.files.paths.find(!commit.removedPaths(_))
  } yield s"it makes '$column' a ${after.types(column).sql}, but $kept has it as ${was.sql}"

  /** A layout commit must neither lose nor duplicate a row. */
  private def sameRows(commit: Commit): Option[String] = {
    import commit._
    val live = base.map(_.files)
    val gone = live.fold(0L)(files =>
      files.indices.iterator.filter(i => removedPaths(files.path(i))).map(files.rows).sum)
    val come = added.iterator.map(_.rows).sum
    if (added.exists(_.dataChange) || removed.exists(_.dataChange))
      Some("a layout commit says that it changes data")
    else if (!replicated && gone != come)
      Some(s"a layout commit adds $come rows for the $gone that it removes")
    else None
  }
}
