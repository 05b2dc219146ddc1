package io.colocate.functions.procedures

import io.colocate.functions.call.InvalidArgument

/** Every procedure that the extension brings. */
private[procedures] object Procedures {

  /** What their names begin with. */
  val Catalog = "colocate"

  val all: Seq[Procedure] =
    Seq(AdaptProcedure, CheckViewProcedure, CompactProcedure, ForgetQueriesProcedure,
      RefreshProcedure, SetAdaptProcedure, VacuumProcedure)

  /** The procedure that a statement names by these parts below the catalog. */
  def named(parts: Seq[String]): Procedure =
    all.find(procedure => parts.length == 1 && procedure.name.equalsIgnoreCase(parts.head))
      .getOrElse(throw new InvalidArgument("CALL", "the procedure",
        s"'${(Catalog +: parts).mkString(".")}'", all.map(_.fullName).mkString(", ")))
}
