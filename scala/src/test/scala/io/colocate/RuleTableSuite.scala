package io.colocate

import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}

import io.colocate.rule.{ColocateNode, Phase, PlanRule, RulePart}
import io.colocate.testing.ColocateTestSession

/** Every rule of ours is a row of the table, every operator of ours is known as one. */
class RuleTableSuite extends AnyFunSuite with ColocateTestSession {

  private val rows = ColocateExtensions.rules

  test("each row has a name of its own, and rows are in the order of a query") {
    assert(rows.map(_.name).distinct == rows.map(_.name))
    val first = rows.map(row => row.phases.map(Phase.all.indexOf(_)).min)
    assert(first.forall(_ >= 0) && first == first.sorted)
  }

  test("Spark runs the rules of the table under their names") {
    RuleExecutor.resetMetrics()
    sql("SELECT count(*) FROM range(10)").collect()
    val ran = RuleExecutor.dumpTimeSpent()
    for (name <- Seq("version-as-of", "session-setup", "lift-hints", "pin-tables", "cyclic-joins"))
      assert(ran.contains(s"io.colocate.$name"), ran)
  }

  test("what is timed is a rule of the table, or a listed part of one") {
    sql("SELECT count(*) FROM range(10) GROUP BY id % 3").explain()
    val names = (rows.map(_.name) ++ RulePart.all.map(_.name)).toSet
    assert(names.size == rows.length + RulePart.all.length)
    val timed = sql("SELECT rule FROM colocate_rule_times()").collect().map(_.getString(0)).toSet
    assert(timed("explain") && timed.diff(names).filterNot(_.endsWith(" test")) == Set.empty)
  }

  /** Classes that Spark would run as rules, beside those of [[Phase]], which run the rows of the table. */
  private def outside(classes: Seq[Class[_]]): Seq[Class[_]] = classes.filter { each =>
    Seq(classOf[Rule[_]], classOf[SparkStrategy], classOf[ColumnarRule])
      .exists(_.isAssignableFrom(each)) && !each.getName.startsWith(classOf[Phase[_, _]].getName)
  }

  private def unmarked(classes: Seq[Class[_]]): Seq[Class[_]] = classes.filter(each =>
    classOf[SparkPlan].isAssignableFrom(each) && !classOf[ColocateNode].isAssignableFrom(each))

  private lazy val ours: Seq[Class[_]] = {
    val root =
      Paths.get(classOf[ColocateExtensions].getProtectionDomain.getCodeSource.getLocation.toURI)
    Using.resource(Files.walk(root.resolve("io/colocate"))) { files =>
      files.iterator.asScala.map(root.relativize(_).toString).filter(_.endsWith(".class"))
        .map(name => name.stripSuffix(".class").replace('/', '.'))
        .map(Class.forName(_, false, getClass.getClassLoader)).toVector
    }
  }

  test("no class of ours is a rule of Spark's, which would run without the runner") {
    assert(ours.count(classOf[PlanRule[_, _]].isAssignableFrom(_)) >= rows.length)
    assert(outside(ours) == Nil)
    assert(outside(Seq(classOf[PlantedRule])) == Seq(classOf[PlantedRule]))
  }

  test("every operator of ours is marked as one") {
    assert(ours.count(classOf[ColocateNode].isAssignableFrom(_)) > 5)
    assert(unmarked(ours) == Nil)
    assert(unmarked(Seq(classOf[org.apache.spark.sql.execution.FilterExec])).length == 1)
  }
}

final private class PlantedRule extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan
}
