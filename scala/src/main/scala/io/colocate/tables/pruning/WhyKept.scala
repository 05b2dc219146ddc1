package io.colocate.tables.pruning

import org.apache.spark.sql.types.DataType

/** Why a conjunct of a filter pruned no file; the sentence goes into explain(). */
sealed abstract class WhyKept(val sentence: String)

object WhyKept {

  case object NotDeterministic
      extends WhyKept("its value may differ from one evaluation to the next")

  case object KnownAtRunTime
      extends WhyKept("it needs a value that is known only when the query runs")

  case object RaisesError extends WhyKept("a constant in it cannot be evaluated")

  /** See [[Conjunct]]. */
  case object BehindError
      extends WhyKept("a condition before it may raise an error, which pruning would hide")

  case object NoStatistics
      extends WhyKept("there are neither statistics nor cuts of the columns that it names")

  case object NothingRuledOut extends WhyKept("every file may hold rows that pass")

  final case class NotSupported(expression: String)
      extends WhyKept(s"the outcome of $expression does not follow from the range of a column")

  final case class NotOrdered(dataType: DataType)
      extends WhyKept(s"values of ${dataType.sql} are not ordered by their bytes")

  final case class CastReorders(from: DataType, to: DataType)
      extends WhyKept(s"the cast of ${from.sql} to ${to.sql} does not keep the order of values")

  final case class NotAColumn(name: String)
      extends WhyKept(s"$name is not a column that the files hold")
}
