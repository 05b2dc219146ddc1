package io.colocate.claims.declared

import scala.annotation.tailrec
import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, RowOrdering}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SubqueryAlias, View}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.CommandExecutionMode
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.Declaration

/**
 * The table that a user names to declare something of it. Of a view it is the table that the view reads, if
 * the view only chooses and renames columns.
 *
 * @param leaf    the table in a logical plan
 * @param columns the columns by the names that the user knows; None for one that a view computes
 */
final class DeclaredTarget private (
    val read: TableRead,
    val leaf: LogicalPlan,
    columns: Seq[(String, Option[Attribute])],
    conf: SQLConf) {

  /** The declaration with the names of the table, or what is accepted in its place. */
  def named(declaration: Declaration): Either[String, Declaration] = for {
    of <- every(declaration.of)
    determined <- every(declaration.determined)
    _ <- once(of ++ determined)
  } yield declaration.copy(of = of, determined = determined)

  private def once(names: Seq[String]): Either[String, Unit] = names.diff(names.distinct) match {
    case Seq() => Right(())
    case again => Left(s"each column once, and not '${again.head}' again")
  }

  private def every(names: Seq[String]): Either[String, Seq[String]] =
    names.foldLeft[Either[String, Seq[String]]](Right(Nil)) { (found, name) =>
      found.flatMap(before => column(name).map(before :+ _))
    }

  private def column(name: String): Either[String, String] =
    columns.filter(c => conf.resolver(c._1, name)) match {
      case Seq((_, Some(a))) if RowOrdering.isOrderable(a.dataType) => Right(a.name)
      case Seq((_, Some(a))) =>
        Left(s"columns whose values can be compared, and not '$name' of type ${a.dataType.sql}")
      case Seq((_, None)) => Left(s"columns of the table, and not '$name', which the view computes")
      case _ => Left(s"columns among ${columns.map(_._1).mkString(", ")}, and not '$name'")
    }
}

object DeclaredTarget {

  val Accepted: String =
    "the name of a table, files as parquet.`/path`, the path of a Colocate table, or a view" +
      " that only chooses and renames columns of one of these"

  /** The table of a name, or what is accepted in place of it. Spark's own error if there is none. */
  def apply(session: SparkSession, name: String): Either[String, DeclaredTarget] =
    parts(session, name).toRight(Accepted).flatMap(parts => of(session, UnresolvedRelation(parts)))

  /** Only the path of a Colocate table needs no name of a format. */
  private def parts(session: SparkSession, name: String): Option[Seq[String]] =
    Try(session.sessionState.sqlParser.parseMultipartIdentifier(name)).toOption
      .orElse(Option.when(name.contains("/"))(Seq("colocate", name)))

  private def of(session: SparkSession, name: LogicalPlan): Either[String, DeclaredTarget] = {
    val conf = session.sessionState.conf
    val plan = SQLConf.withExistingConf(conf) {
      session.sessionState.executePlan(name, CommandExecutionMode.SKIP).normalized
    }
    val (leaf, columns) = beneath(plan, plan.output.map(a => a.name -> Option[Attribute](a)))
    if (leaf.children.nonEmpty) Left(s"$Accepted; the rows here are those of ${leaf.nodeName}")
    else
      TableRead.of(leaf).map(new DeclaredTarget(_, leaf, columns, conf))
        .toRight(s"$Accepted, in its newest version")
  }

  @tailrec
  private def beneath(
      plan: LogicalPlan,
      columns: Seq[(String, Option[Attribute])]): (LogicalPlan, Seq[(String, Option[Attribute])]) =
    plan match {
      case alias: SubqueryAlias => beneath(alias.child, columns)
      case view: View => beneath(view.child, columns)
      case Project(list, child) =>
        val sources = list.collect {
          case a: Attribute => a.exprId -> a
          case alias @ Alias(a: Attribute, _) => alias.exprId -> a
        }.toMap
        beneath(child,
          columns.map { case (name, a) => name -> a.flatMap(c => sources.get(c.exprId)) })
      case leaf =>
        (leaf,
          columns.map { case (name, a) =>
            name -> a.flatMap(c => leaf.output.find(_.exprId == c.exprId))
          })
    }
}
