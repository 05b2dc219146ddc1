package io.colocate.tables.commit

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.colocate.facts.types.Orderable

/**
 * The settings under which a predicate selected rows, kept in the commit beside its text, so that it
 * selects the same rows whenever the changes of that commit are read.
 *
 * {{{
 *   day = '2026-03-01'                    kept, with the time zone and the mode of ANSI
 *   day = current_date(), my_udf(a) > 3   not kept: another day, or another function of that name
 * }}}
 */
private[tables] object RememberedSettings {

  val Key: String = "settings"

  private val Whole = Set[DataType](ByteType, ShortType, IntegerType, LongType)

  private val settings = Seq(SQLConf.ANSI_ENABLED, SQLConf.CASE_SENSITIVE,
    SQLConf.SESSION_LOCAL_TIMEZONE, SQLConf.TIMESTAMP_TYPE)

  /**
   * @param condition a predicate as Spark has analysed it
   * @return None if its value may depend on more than these settings
   */
  def of(condition: Expression, conf: SQLConf): Option[String] =
    Option.when(!condition.exists(!known(_))) {
      settings.map(entry => s"${entry.key}=${conf.getConf(entry)}").mkString(", ")
    }

  /**
   * The rows of a plan that a predicate selects, under the settings of its commit.
   *
   * @return None if the text cannot be understood any more
   */
  def selected(
      session: SparkSession,
      predicate: String,
      kept: String,
      rows: LogicalPlan): Option[LogicalPlan] =
    for {
      conf <- under(session.sessionState.conf, kept)
      condition <- Try(SQLConf.withExistingConf(conf)(analysed(session, predicate, rows))).toOption
      if of(condition, conf).contains(kept)
    } yield Filter(condition, rows)

  private def analysed(session: SparkSession, predicate: String, rows: LogicalPlan): Expression = {
    val parsed = session.sessionState.sqlParser.parseExpression(predicate)
    session.sessionState.executePlan(Filter(parsed, rows)).analyzed match {
      case Filter(condition, _) => condition
      case other => throw new IllegalStateException(s"a predicate became ${other.nodeName}")
    }
  }

  private def under(now: SQLConf, kept: String): Option[SQLConf] = {
    val values = kept.split(", ").map(_.split("=", 2)).collect { case Array(k, v) => k -> v }.toMap
    Option.when(values.keySet == settings.map(_.key).toSet) {
      val conf = now.clone()
      values.foreach { case (key, value) => conf.setConfString(key, value) }
      conf
    }
  }

  /** Expressions whose value follows from their arguments and the settings that are kept. */
  private def known(part: Expression): Boolean = part match {
    case a: AttributeReference => Orderable(a.dataType)
    case literal: Literal => literal.value == null || Orderable(literal.dataType)
    case _: And | _: Or | _: Not | _: IsNull | _: IsNotNull | _: In | _: InSet => true
    case _: BinaryComparison | _: Between | _: Cast | _: UnaryMinus => true
    case _: StartsWith | _: EndsWith | _: Contains | _: Like => true
    // The type of a product of decimals depends on a setting of its own.
    case arithmetic: BinaryArithmetic => Whole(arithmetic.dataType)
    case _ => false
  }
}
