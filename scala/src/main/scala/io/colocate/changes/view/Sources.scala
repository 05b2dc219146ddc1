package io.colocate.changes.view

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LeafNode, LocalRelation, LogicalPlan, OneRowRelation, Range}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import io.colocate.changes.differentiate.{Differentiate, Signed, States}
import io.colocate.report.{ChangesReasons, Reason}
import io.colocate.tables.commit.TableLog
import io.colocate.tables.feed.TableChanges
import io.colocate.tables.format.SourceVersion
import io.colocate.tables.versions.{RobustFileIndex, TimeTravel}

/** What a query reads. */
private[view] object Sources {

  /** A robust table, whose log tells what changed. */
  object Table {
    def unapply(leaf: LogicalPlan): Option[(LogicalRelation, HadoopFsRelation, TableLog)] =
      leaf match {
        case relation @ LogicalRelation(fs: HadoopFsRelation, _, _, _, _) =>
          fs.location match {
            case index: RobustFileIndex if TimeTravel.among(fs.options).isEmpty =>
              Some((relation, fs, index.log))
            case _ => None
          }
        case _ => None
      }
  }

  /** Files of another format, or a version of a table that the query names. */
  object Files {
    def unapply(leaf: LogicalPlan): Option[HadoopFsRelation] = leaf match {
      case Table(_, _, _) => None
      case LogicalRelation(fs: HadoopFsRelation, _, _, _, _) => Some(fs)
      case _ => None
    }
  }

  /** Why the query cannot be maintained, whatever it does with these. */
  def problems(plan: LogicalPlan): Seq[Reason] = plan.collectLeaves().collect {
    case leaf if !known(leaf) =>
      Reason(ChangesReasons.OperatorUnknown, "operator" -> leaf.nodeName)
  }

  private def known(leaf: LogicalPlan): Boolean = leaf match {
    case Table(_, _, _) | Files(_) | _: LocalRelation | _: OneRowRelation | _: Range => true
    case _ => false
  }

  /** What all sources of a query have now; all their versions are known before any is read. */
  def versions(plan: LogicalPlan): Map[String, SourceVersion] = leaves(plan).collect {
    case Table(_, _, log) =>
      val newest = log.snapshot()
      log.path.toString -> SourceVersion(newest.metadata.created.toString, newest.version)
    case Files(fs) => name(fs) -> SourceVersion(digest(fs), 0)
  }.toMap

  /**
   * Why the changes from one state to the other cannot be read.
   *
   * @param from as [[versions]] gave them, before
   */
  def lost(
      plan: LogicalPlan,
      from: Map[String, SourceVersion],
      to: Map[String, SourceVersion]): Seq[Reason] = leaves(plan).flatMap {
    case Table(_, _, log) =>
      val path = log.path.toString
      from.get(path).filter(was =>
        was.id != to(path).id || was.version > to(path).version ||
          was.version < log.oldestReadable).map(was =>
        Reason(ChangesReasons.SourceHistoryGone, "source" -> path,
          "version" -> was.version.toString))
    case Files(fs) if from.get(name(fs)) != to.get(name(fs)) =>
      Some(Reason(ChangesReasons.SourceWithoutChanges, "source" -> name(fs)))
    case _ => None
  }

  private def leaves(plan: LogicalPlan): Seq[LogicalPlan] =
    plan.collectWithSubqueries { case leaf: LeafNode => leaf }

  private def name(fs: HadoopFsRelation) = fs.location.rootPaths.mkString(", ")

  private def digest(fs: HadoopFsRelation): String = {
    val files = fs.location.listFiles(Nil, Nil).flatMap(_.files)
    Definition.sha(files.map(file => s"${file.getPath} ${file.getLen} ${file.getModificationTime}")
        .sorted.mkString("\n"))
  }

  /** A query over these versions of its sources. */
  def at(
      session: SparkSession,
      plan: LogicalPlan,
      versions: Map[String, SourceVersion]): LogicalPlan =
    new Differentiate(new Between(session, versions, versions)).now(plan)

  /** The sources in two states. */
  final class Between(
      session: SparkSession,
      from: Map[String, SourceVersion],
      to: Map[String, SourceVersion])
      extends States {

    override def old(leaf: LogicalPlan): LogicalPlan = at(leaf, from)

    override def now(leaf: LogicalPlan): LogicalPlan = at(leaf, to)

    override def change(leaf: LogicalPlan): Option[Signed] = leaf match {
      case Table(relation, _, log) =>
        val path = log.path.toString
        Option.when(from(path) != to(path)) {
          val changes =
            TableChanges(session, log, from(path).version, to(path).version, contents = false, Nil)
          def named(column: Attribute) =
            Alias(changes.output.find(_.name == column.name).get, column.name)(column.exprId)
          Signed(relation.output.map(named), changes.output.last, changes)
        }
      case _ => None
    }

    private def at(leaf: LogicalPlan, versions: Map[String, SourceVersion]): LogicalPlan =
      leaf match {
        case Table(relation, fs, log) =>
          val version = versions(log.path.toString).version
          val options = fs.options + (TimeTravel.Version -> version.toString)
          relation.copy(relation = fs.copy(options = options)(fs.sparkSession), catalogTable = None)
        case other => other
      }
  }
}
