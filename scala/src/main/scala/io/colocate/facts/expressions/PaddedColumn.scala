package io.colocate.facts.expressions

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, Literal, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils

/**
 * A CHAR column as Spark reads it, with blanks up to its length, whatever the files hold. It is a function
 * of the column of the files and not the reverse: these may hold `a` and `a` with a blank.
 */
object PaddedColumn {

  /** The column of the files. */
  def unapply(e: Expression): Option[Attribute] = e match {
    case call: StaticInvoke
        if call.staticObject == classOf[CharVarcharCodegenUtils] &&
          call.functionName == "readSidePadding" =>
      call.arguments match {
        case Seq(column: Attribute, _: Literal) => Some(column)
        case _ => None
      }
    case _ => None
  }

  /** A projection as it would be if columns were read as they are in the files. */
  def unpadded(list: Seq[NamedExpression]): Seq[NamedExpression] = list.map {
    case alias @ Alias(PaddedColumn(column), name) =>
      Alias(column, name)(alias.exprId, alias.qualifier)
    case other => other
  }
}
