package io.colocate.functions.declarations

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{BooleanType, StringType, StructType}

import io.colocate.claims.declared.{DeclarationText, DeclaredTarget, KeptDeclarations, Stated, TableRead}
import io.colocate.functions.call.Arguments
import io.colocate.rule.Declaration

/** A table that a user names to declare something of it, and what is declared as rows. */
private object DeclaredTable {

  val schema: StructType = new StructType()
    .add("table", StringType, nullable = false)
    .add("declaration", StringType, nullable = false)
    .add("rely", BooleanType, nullable = false)
    .add("kept", StringType, nullable = false)
    .add("unused", StringType, nullable = true)

  def kept(session: SparkSession, arguments: Arguments): KeptDeclarations = {
    val name = arguments.required("table", DeclaredTarget.Accepted)
    DeclaredTarget(session, name)
      .fold(arguments.refuse("table", _), new KeptDeclarations(session, _))
  }

  /** The declaration of the arguments, with the names of the table. */
  def declaration(session: SparkSession, arguments: Arguments, rely: Boolean): Declaration = {
    val text = arguments.required("declaration", DeclarationText.Accepted)
    DeclarationText.read(text, rely).toRight(DeclarationText.Accepted)
      .flatMap(kept(session, arguments).target.named(_))
      .fold(arguments.refuse("declaration", _), identity)
  }

  def rows(session: SparkSession, read: TableRead, stated: Seq[Stated]): Seq[Seq[Any]] =
    stated.map { s =>
      Seq(read.name, s.declaration.text, s.declaration.rely, s.place.name,
        s.unused(read, session.sessionState.conf).orNull)
    }
}
