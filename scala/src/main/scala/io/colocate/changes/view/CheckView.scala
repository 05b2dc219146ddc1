package io.colocate.changes.view

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.classic.SparkSession

import io.colocate.rule.ColocateConf
import io.colocate.tables.commit.TableLog
import io.colocate.tables.operations.Transaction

/**
 * Computes the query of a view anew, by Spark alone and over the versions that the view stands for, and
 * compares all rows.
 */
final private[colocate] class CheckView(session: SparkSession, log: TableLog) {

  /**
   * @param most how many rows to return
   * @return rows as JSON, with how many more of them the view has than the query, or fewer
   */
  def apply(most: Int): Seq[(String, Long)] = {
    val base = log.snapshot()
    val view = base.view.getOrElse(throw new NoView(log.path.toString))
    val definition = Definition(session, view.query, view.settings)
    val alone = definition.session
    alone.sessionState.conf.setConfString(ColocateConf.Enabled.key, "false")
    ViewSession.in(alone) {
      val query = Sources.at(alone, definition.plan, view.sources)
      val stored = new Transaction(alone, log).read(base, base.files.indices)
      val both = Union(shown(stored, stored.output.map(_.name), 1),
        shown(query, stored.output.map(_.name), -1))
      val Seq(row, diff) = both.output
      val sum = Alias(Sum(diff).toAggregateExpression(), "more")()
      val added = Aggregate(Seq(row), Seq(row, sum), both)
      val differing = Filter(Not(EqualTo(sum.toAttribute, Literal(0L))), added)
      alone.sessionState.executePlan(Limit(Literal(most), differing)).executedPlan
        .executeCollect().toSeq.map(found => (found.getUTF8String(0).toString, found.getLong(1)))
    }
  }

  /** Numbers as texts, so that rows can be grouped whatever their types are. */
  private def shown(plan: LogicalPlan, names: Seq[String], sign: Long): LogicalPlan = {
    val fields = names.zip(plan.output).flatMap { case (name, column) =>
      Seq(Literal(name), column)
    }
    val zone = Some(session.sessionState.conf.sessionLocalTimeZone)
    val json = StructsToJson(Map("ignoreNullFields" -> "false"), CreateNamedStruct(fields), zone)
    Project(Seq(Alias(json, "row")(), Alias(Literal(sign), "diff")()), plan)
  }
}
