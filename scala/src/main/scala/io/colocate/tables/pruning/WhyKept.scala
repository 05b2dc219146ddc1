package io.colocate.tables.pruning

import org.apache.spark.sql.types.DataType

import io.colocate.report.{Reason, ReasonCode}
import io.colocate.report.TableReasons._

/** Why a conjunct of a filter pruned no file. */
sealed abstract class WhyKept(code: ReasonCode, args: (String, String)*) {
  def reason: Reason = Reason(code, args)
}

object WhyKept {
  case object NotDeterministic extends WhyKept(FilterVaries)
  case object KnownAtRunTime extends WhyKept(FilterKnownLater)
  case object RaisesError extends WhyKept(FilterFails)

  /** See [[Conjunct]]. */
  case object BehindError extends WhyKept(FilterBehindError)
  case object NoStatistics extends WhyKept(NoFileStatistics)
  case object NoneRuledOut extends WhyKept(NothingRuledOut)
  final case class NotSupported(expression: String)
      extends WhyKept(FilterNotSupported, "expression" -> expression)
  final case class NotOrdered(dataType: DataType)
      extends WhyKept(TypeNotOrdered, "type" -> dataType.sql)
  final case class Reorders(from: DataType, to: DataType)
      extends WhyKept(CastReorders, "from" -> from.sql, "to" -> to.sql)
  final case class Unknown(name: String) extends WhyKept(NotAColumn, "name" -> name)
}
