package io.colocate.functions.call

import scala.util.Try

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.{Expression, NamedArgumentExpression}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.MapData
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

/**
 * The arguments of a call of one of our table functions or procedures, by position or by name.
 *
 * @param names the parameters in their order
 */
final private[colocate] class Arguments(
    function: String,
    names: Seq[String],
    given_ : Seq[Expression]) {

  private val values: Map[String, Any] = {
    val (keys, expressions) = given_.map {
      case named: NamedArgumentExpression => (Some(named.key), named.value)
      case expression => (None, expression)
    }.unzip
    Arguments.called(function, names, keys).zip(expressions).map { case (name, expression) =>
      name -> constant(name, expression)
    }.toMap
  }

  /** A text; None if it was left out or is NULL. */
  def text(name: String): Option[String] = values.get(name).flatMap(Option(_)).map(_.toString)

  def required(name: String, accepted: String): String =
    text(name).filter(_.trim.nonEmpty).getOrElse(fail(name, shown(name), accepted))

  def oneOf(name: String, accepted: Seq[String]): Option[String] = text(name).map { text =>
    accepted
      .find(_.equalsIgnoreCase(text.trim))
      .getOrElse(fail(name, shown(name), accepted.mkString(", ")))
  }

  def flag(name: String): Option[Boolean] = oneOf(name, Seq("true", "false")).map(_ == "true")

  def number(name: String, least: Int): Option[Int] = text(name).map { text =>
    text.trim.toIntOption
      .filter(_ >= least)
      .getOrElse(fail(name, shown(name), s"a whole number from $least"))
  }

  /** A map of texts; empty if it was left out or is NULL. */
  def map(name: String, accepted: String): Map[String, String] =
    values.get(name).flatMap(Option(_)).fold(Map.empty[String, String]) {
      case map: MapData => Arguments.texts(map).getOrElse(refuse(name, accepted))
      case _ => refuse(name, accepted)
    }

  /** Raises the error for a value of another kind than accepted. */
  def refuse(name: String, accepted: String): Nothing = fail(name, shown(name), accepted)

  /** Raises the error for a part of an argument, such as `queries[2]`. */
  def refusePart(part: String, value: String, accepted: String): Nothing =
    fail(part, value, accepted)

  private def shown(name: String): String = text(name).fold("missing")(text => s"'$text'")

  /** Functions are resolved before there are rows, so an argument cannot depend on any. */
  private def constant(name: String, expression: Expression): Any = {
    val value =
      if (expression.resolved && expression.foldable) Try(expression.eval()) else NotConstant
    value.getOrElse(fail(name, s"'${expression.sql}'", "a constant"))
  }

  private def NotConstant = Try[Any](throw new IllegalArgumentException)

  private def fail(argument: String, value: String, accepted: String): Nothing =
    throw new InvalidArgument(function, argument, value, accepted)
}

private[colocate] object Arguments {

  /**
   * The parameters that a call gives values, in the order of the call.
   *
   * @param keys the name of each argument; None if it is given by position
   */
  def called(function: String, names: Seq[String], keys: Seq[Option[String]]): Seq[String] = {
    def fail(argument: String, value: String, accepted: String): Nothing =
      throw new InvalidArgument(function, argument, value, accepted)
    if (keys.size > names.size) {
      fail("the number of arguments", keys.size.toString, s"at most ${names.size}")
    }
    val called = keys.zipWithIndex.map {
      case (Some(key), _) =>
        names.find(_.equalsIgnoreCase(key))
          .getOrElse(fail("the argument", s"'$key'", names.mkString(", ")))
      case (None, i) => names(i)
    }
    called.diff(called.distinct).headOption.foreach(fail(_, "given twice", "one value"))
    called
  }

  /** None if something in it is no text. */
  private def texts(map: MapData): Option[Map[String, String]] = {
    val pairs = map.keyArray().toObjectArray(StringType)
      .zip(map.valueArray().toObjectArray(StringType))
    Option.when(pairs.forall { case (key, value) =>
      key.isInstanceOf[UTF8String] && value.isInstanceOf[UTF8String]
    })(pairs.map { case (key, value) => key.toString -> value.toString }.toMap)
  }
}

/** A wrong argument of one of our table functions or procedures; names it, its value and what is accepted. */
class InvalidArgument(function: String, argument: String, value: String, accepted: String)
    extends AnalysisException(message = InvalidArgument.message(function, argument, value,
        accepted), errorClass = Some(InvalidArgument.ErrorClass),
      messageParameters = Map("function" -> function, "argument" -> argument, "value" -> value,
        "accepted" -> accepted), sqlState = Some("22023")) {

  /**
   * The analyser would add the position in the query. This must not have one: PySpark looks up the
   * message of every error that has a position in Spark's own list, which does not contain ours.
   */
  override def withPosition(origin: Origin): AnalysisException = this
}

object InvalidArgument {
  val ErrorClass = "COLOCATE_INVALID_ARGUMENT"

  private def message(function: String, argument: String, value: String, accepted: String) =
    s"[$ErrorClass] $function: $argument is $value; accepted: $accepted."
}
