package io.colocate.functions.adapt

import io.colocate.adapt.AdaptOptions
import io.colocate.functions.call.Arguments

/** The arguments that say how a table is adapted. */
private[adapt] object AdaptArguments {

  def apply(arguments: Arguments, published: Boolean = false): AdaptOptions = AdaptOptions(
    number(arguments, "budget", "a number above 0, up to 1")(b => b > 0 && b <= 1)
      .getOrElse(AdaptOptions.DefaultBudget),
    number(arguments, "write_cost",
      s"a number from ${AdaptOptions.LeastWriteCost} to ${AdaptOptions.MostWriteCost}")(c =>
      c >= AdaptOptions.LeastWriteCost && c <= AdaptOptions.MostWriteCost),
    arguments.text("seed").fold(0L)(text =>
      text.trim.toLongOption.getOrElse(arguments.refuse("seed", "a whole number"))), published)

  private def number(arguments: Arguments, name: String, accepted: String)(
      fits: Double => Boolean): Option[Double] =
    arguments.text(name).map(text =>
      text.trim.toDoubleOption.filter(fits).getOrElse(arguments.refuse(name, accepted)))
}
