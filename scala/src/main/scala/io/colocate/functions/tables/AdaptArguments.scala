package io.colocate.functions.tables

import io.colocate.adapt.AdaptOptions
import io.colocate.functions.call.Arguments

/** The arguments that say how a table is adapted. */
private[tables] object AdaptArguments {

  def apply(arguments: Arguments, published: Boolean = false): AdaptOptions = AdaptOptions(
    number(arguments, "budget", AdaptOptions.DefaultBudget, "a number above 0, up to 1")(b =>
      b > 0 && b <= 1),
    number(arguments, "write_cost", AdaptOptions.DefaultWriteCost,
      s"a number from ${AdaptOptions.LeastWriteCost} to ${AdaptOptions.MostWriteCost}")(c =>
      c >= AdaptOptions.LeastWriteCost && c <= AdaptOptions.MostWriteCost),
    arguments.text("seed").fold(0L)(text =>
      text.trim.toLongOption.getOrElse(arguments.refuse("seed", "a whole number"))), published)

  private def number(arguments: Arguments, name: String, default: Double, accepted: String)(
      fits: Double => Boolean): Double =
    arguments.text(name).fold(default)(text =>
      text.trim.toDoubleOption.filter(fits).getOrElse(arguments.refuse(name, accepted)))
}
