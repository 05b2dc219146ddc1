package io.colocate.rule

/** What a declaration says of the rows of a table. */
sealed abstract class DeclaredKind(val name: String)

object DeclaredKind {

  /** No two rows agree on the columns, and none of them is NULL, as in PRIMARY KEY. */
  case object Key extends DeclaredKind("key")

  /** No two rows agree on the columns, but where one of them is NULL, as in UNIQUE. */
  case object Unique extends DeclaredKind("unique")

  /** Rows that agree on the columns agree on others. NULL is a value like any other. */
  case object Determines extends DeclaredKind("determines")
}

/**
 * What a user says of the rows of a table, by the names of its columns.
 *
 * @param of         the key, or the columns that determine others
 * @param determined the columns that they determine; empty for a key, which determines all
 * @param rely       true if it may be relied on without being checked
 */
final case class Declaration(
    kind: DeclaredKind,
    of: Seq[String],
    determined: Seq[String],
    rely: Boolean) {

  /** "key (a, b)", or "(a) -> (b, c)": what is declared, without who relies on it. */
  def text: String = kind match {
    case DeclaredKind.Determines => s"${list(of)} -> ${list(determined)}"
    case key => s"${key.name} ${list(of)}"
  }

  def columns: Seq[String] = of ++ determined

  private def list(names: Seq[String]) = names.mkString("(", ", ", ")")
}

/**
 * The declarations that a session keeps, by what the table is called there. Tables with properties keep
 * their own.
 */
final case class Declarations(byTable: Map[String, Seq[Declaration]]) {

  def of(table: String): Seq[Declaration] = byTable.getOrElse(table, Nil)

  /** The same with other declarations for one table. */
  def updated(table: String, declared: Seq[Declaration]): Declarations =
    Declarations(if (declared.isEmpty) byTable - table else byTable.updated(table, declared))

  override def toString: String = DeclarationJson.write(this)
}

object Declarations {

  val None: Declarations = Declarations(Map.empty)

  /** The table property in which a table keeps its declarations. */
  val Property: String = "colocate.dependencies"
}
