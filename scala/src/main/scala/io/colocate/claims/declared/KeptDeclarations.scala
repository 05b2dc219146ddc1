package io.colocate.claims.declared

import org.apache.spark.sql.catalyst.analysis.UnresolvedTable
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, SetTableProperties, UnsetTableProperties}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.{ColocateConf, Declaration, DeclarationJson, Declarations}

/**
 * Where the declarations of a table are kept: in a property of a table that a catalog knows, so that later
 * sessions find them; otherwise in a setting of the session.
 */
final class KeptDeclarations(session: SparkSession, val target: DeclaredTarget) {
  import target.read

  /** All that is declared of the table, also by its definition. */
  def all: Seq[Stated] = Stated.of(read, ColocateConf.Dependencies(conf))

  /** What can be taken back. */
  def ofUsers: Seq[Stated] = all.filter(s => s.place == Place.Property || s.place == Place.Session)

  /** Adds a declaration, in place of one that says the same with or without RELY. */
  def add(declaration: Declaration): Unit =
    change(_.filterNot(_.text == declaration.text) :+ declaration)

  /** Takes declarations back. */
  def remove(texts: Set[String]): Unit = change(_.filterNot(d => texts(d.text)))

  private def change(how: Seq[Declaration] => Seq[Declaration]): Unit = read.catalogued match {
    case Some(table) =>
      val own = Stated.kept(read)
      val changed = how(own)
      if (changed != own) execute(if (changed.isEmpty) unset(table) else set(table, changed))
    case None =>
      val all = ColocateConf.Dependencies(conf)
      session.conf.set(ColocateConf.Dependencies.key,
        all.updated(read.identity, how(all.of(read.identity))).toString)
  }

  private def set(table: Seq[String], declared: Seq[Declaration]): LogicalPlan =
    SetTableProperties(UnresolvedTable(table, "ALTER TABLE ... SET TBLPROPERTIES"),
      Map(Declarations.Property -> DeclarationJson.write(declared)))

  private def unset(table: Seq[String]): LogicalPlan =
    UnsetTableProperties(UnresolvedTable(table, "ALTER TABLE ... UNSET TBLPROPERTIES"),
      Seq(Declarations.Property), ifExists = true)

  /** The table function that calls this is analysed under settings of its own. */
  private def execute(command: LogicalPlan): Unit = SQLConf.withExistingConf(conf) {
    session.sessionState.executePlan(command).commandExecuted
  }

  private def conf = session.sessionState.conf
}
