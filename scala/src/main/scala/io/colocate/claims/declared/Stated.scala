package io.colocate.claims.declared

import org.apache.spark.sql.connector.catalog.constraints.{Constraint, PrimaryKey, Unique}
import org.apache.spark.sql.connector.catalog.constraints.Constraint.ValidationStatus
import org.apache.spark.sql.internal.SQLConf

import io.colocate.rule.{ColocateConf, Declaration, DeclarationJson, Declarations, DeclaredKind}

/** A declaration of a table, and where it is made. */
final case class Stated(declaration: Declaration, place: Place) {

  /** For explain(): "key (id) of default.t, table property". */
  def text(read: TableRead): String = s"${declaration.text} of ${read.name}, ${place.name}"

  /** Why queries make no use of it; None if they may. */
  def unused(read: TableRead, conf: SQLConf): Option[String] = {
    def isThere(name: String) = read.output.count(a => conf.resolver(a.name, name)) == 1
    declaration.columns.find(!isThere(_)).map(name => s"the table has no column '$name'")
      .orElse(Option.when(!trusted(conf))("declared without rely"))
  }

  /** Where the session checks what it uses, nobody has to vouch for it. */
  def trusted(conf: SQLConf): Boolean = declaration.rely || ColocateConf.DependenciesCheck(conf)
}

/** Where a declaration is made, and kept. */
sealed abstract class Place(val name: String)

object Place {
  case object Property extends Place("table property")
  case object Session extends Place("session")

  /** A constraint of the table's definition, which is not ours to change. */
  final case class Definition(constraint: String) extends Place(s"constraint $constraint")
}

object Stated {

  /**
   * All that is declared of a table, what its definition says first.
   *
   * @throws DeclarationsUnreadable if its property was written by hand, and cannot be read
   */
  def of(read: TableRead, session: Declarations): Seq[Stated] =
    read.constraints.flatMap(ofConstraint) ++ kept(read).map(Stated(_, Place.Property)) ++
      (if (session.byTable.isEmpty) Nil
       else session.of(read.identity).map(Stated(_, Place.Session)))

  /** What the table's property says. */
  def kept(read: TableRead): Seq[Declaration] = read.property.toSeq.flatMap(text =>
    DeclarationJson.read(text).getOrElse(throw new DeclarationsUnreadable(read.name, text)))

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
        Place.Definition(constraint.name))
  }
}
