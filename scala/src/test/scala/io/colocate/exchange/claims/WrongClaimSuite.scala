package io.colocate.exchange.claims

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, RoundRobinPartitioning}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.testing.{CaseFile, ColocateTestSession, PhysicalOracle, QueryCase, RunConf, TestConf, TestTables}

/**
 * The oracle finds out each kind of claim if it is wrong: in plans of the catalogue that rest on one, rows
 * below it that are said to be hashed, and are not.
 */
class WrongClaimSuite extends AnyFunSuite with ColocateTestSession {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.createAll(spark)
  }

  private val settings = RunConf(colocate = true, adaptive = false).settings ++
    TestConf.noBroadcast ++ TestConf.noGather :+ ("spark.sql.codegen.wholeStage" -> "false")

  private def plan(shape: QueryCase): SparkPlan =
    withConf(settings: _*)(sql(shape.sql).queryExecution.executedPlan)

  private def kinds(plan: SparkPlan): Set[String] =
    plan.collect { case c: ColocateClaim => c.facts }.flatten
      .map(_.getClass.getSimpleName.stripSuffix("$")).toSet

  private val expected = Set("Equal", "Determined", "OuterKeys", "Normalised", "Expanded", "Merged")

  /** One plan of the catalogue for each kind of fact. */
  private lazy val plans: Map[String, SparkPlan] =
    CaseFile.read("sql/catalogue.sql").filterNot(_.attributes.contains("builder")).iterator.map(
      plan)
      .foldLeft(Map.empty[String, SparkPlan]) { (found, next) =>
        found ++ (kinds(next) -- found.keySet).map(_ -> next)
      }

  for (kind <- expected) test(s"a claim that is right, and one that is wrong: $kind") {
    assumeExtension()
    val right = plans(kind)
    assert(PhysicalOracle.check(right).violations.isEmpty, right)
    val wrong = right.transform { case claim: ColocateClaim =>
      claim.withNewChildren(Seq(unshuffled(claim.child)))
    }
    assert(PhysicalOracle.check(wrong).violations.nonEmpty, wrong)
  }

  private def unshuffled(plan: SparkPlan): SparkPlan = plan match {
    case s: ShuffleExchangeExec =>
      val n = s.outputPartitioning.numPartitions
      Hashed(ShuffleExchangeExec(RoundRobinPartitioning(n), s.child), s.outputPartitioning)
    case other => other.withNewChildren(other.children.map(unshuffled))
  }
}

/** Says of rows that they are hashed, and they are not. */
private case class Hashed(child: SparkPlan, override val outputPartitioning: Partitioning)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
