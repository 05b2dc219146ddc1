package io.colocate.claims.declared

import org.apache.spark.sql.connector.catalog.constraints.{Constraint, PrimaryKey, Unique}
import org.apache.spark.sql.connector.catalog.constraints.Constraint.ValidationStatus

import io.colocate.rule.{Declaration, DeclarationJson, Declarations, DeclaredKind}

/**
 * A declaration, and where it is made.
 *
 * @param where for explain(): "table property", "session", "constraint pk"
 */
final case class Stated(declaration: Declaration, where: String)

object Stated {

  /** All that is declared of a table, what its definition says first. */
  def of(read: TableRead, session: Declarations): Seq[Stated] =
    read.constraints.flatMap(ofConstraint) ++
      read.property.toSeq.flatMap(DeclarationJson.read(_).toSeq.flatten).map(Stated(_,
        "table property")) ++
      (if (session.byTable.isEmpty) Nil else session.of(read.identity).map(Stated(_, "session")))

  /**
   * Keys of a table's definition. One that is enforced and valid may be relied on as one that says RELY;
   * NORELY, which is what leaving it out means, says that it may not.
   */
  private def ofConstraint(constraint: Constraint): Option[Stated] = {
    val columns = constraint match {
      case key: PrimaryKey => Some(DeclaredKind.Key -> key.columns)
      case unique: Unique => Some(DeclaredKind.Unique -> unique.columns)
      case _ => None
    }
    val rely = constraint.rely ||
      constraint.enforced && constraint.validationStatus == ValidationStatus.VALID
    for ((kind, named) <- columns if named.forall(_.fieldNames.length == 1))
      yield Stated(Declaration(kind, named.map(_.fieldNames.head).toSeq, Nil, rely),
        s"constraint ${constraint.name}")
  }
}
