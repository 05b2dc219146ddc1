package io.colocate.explain

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.trees.Origin

/** A wrong argument of one of our table functions; names it, its value and what is accepted. */
class InvalidArgument(function: String, argument: String, value: String, accepted: String)
    extends AnalysisException(message = InvalidArgument.message(function, argument, value,
        accepted), errorClass = Some(InvalidArgument.ErrorClass),
      messageParameters = Map("function" -> function, "argument" -> argument, "value" -> value,
        "accepted" -> accepted), sqlState = Some("22023")) {

  /**
   * The analyser would add the place in the query. Not here: PySpark looks up the sentence of every
   * error that has a place, in Spark's own list, where ours is not.
   */
  override def withPosition(origin: Origin): AnalysisException = this
}

object InvalidArgument {
  val ErrorClass = "COLOCATE_INVALID_ARGUMENT"

  private def message(function: String, argument: String, value: String, accepted: String) =
    s"[$ErrorClass] $function: $argument is $value; accepted: $accepted."
}
