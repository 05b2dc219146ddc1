package io.colocate.exchange.claims

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Add, Alias, Attribute, Expression, Literal, SparkPartitionID}
import org.apache.spark.sql.catalyst.plans.physical.{ClusteredDistribution, Distribution, Partitioning, RoundRobinPartitioning}
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import io.colocate.facts.proved.KeptColumn
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

  private val expected =
    Set("Equal", "Determined", "OuterKeys", "Normalised", "Expanded", "Merged", "ServesMoreKeys")

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

  test("a claim that is right, and one that is wrong: ServesMoreKeys, of a table in buckets") {
    assumeExtension()
    val rows = "SELECT x.a, x.b, y.d FROM b8_1 x JOIN b8_2 y ON x.a = y.a AND x.b = y.b"
    // Rows that are read in batches would have to be converted before they are shuffled.
    val right = withConf(settings :+ ("spark.sql.parquet.enableVectorizedReader" -> "false"): _*)(
      sql(rows).queryExecution.executedPlan)
    assert(kinds(right)("ServesMoreKeys") && !right.exists(_.isInstanceOf[ShuffleExchangeExec]),
      right)
    assert(PhysicalOracle.check(right).violations.isEmpty, right)
    val claims = right.collect { case claim: ColocateClaim => claim }
    for (one <- claims) {
      val wrong = right.transform {
        case claim: ColocateClaim if claim.eq(one) =>
          claim.withNewChildren(Seq(elsewhere(claim.child)))
      }
      assert(PhysicalOracle.check(wrong).violations.nonEmpty, wrong)
    }
  }

  test("a claim that is right, and one that is wrong: Kept") {
    val rows =
      withConf(settings: _*)(sql("SELECT a, b FROM t1 DISTRIBUTE BY a").queryExecution.executedPlan)
    val a = rows.output.head
    val x = Alias(a, "x")()
    def kept(returned: Alias): SparkPlan = Grouped(ColocateClaim(Returning(returned, rows),
      Seq(Kept(Seq(KeptColumn(a, returned.toAttribute, 0, "f", "f.py:1"))))))
    val right = kept(x)
    assert(right.children.head.outputPartitioning.satisfies(right.requiredChildDistribution.head),
      right)
    assert(PhysicalOracle.check(right).violations.isEmpty, right)
    val wrong = kept(Alias(Add(a, Literal(1)), "x")(x.exprId))
    assert(PhysicalOracle.check(wrong).violations.nonEmpty, wrong)
  }

  test("a claim that is right, and one that is wrong: Numbered") {
    val rows =
      withConf(settings: _*)(sql("SELECT a FROM t1 DISTRIBUTE BY a").queryExecution.executedPlan)
    def numbered(number: Expression): SparkPlan = {
      val p = Alias(number, "p")()
      Grouped(ColocateClaim(ProjectExec(Seq(p), rows), Seq(Numbered(Seq(p.toAttribute)))))
    }
    val right = numbered(SparkPartitionID())
    assert(right.children.head.outputPartitioning.satisfies(right.requiredChildDistribution.head),
      right)
    assert(PhysicalOracle.check(right).violations.isEmpty, right)
    val wrong = numbered(Literal(0))
    assert(PhysicalOracle.check(wrong).violations.nonEmpty, wrong)
  }

  private def unshuffled(plan: SparkPlan): SparkPlan = plan match {
    case s: ShuffleExchangeExec => elsewhere(s, s.child)
    case other => other.withNewChildren(other.children.map(unshuffled))
  }

  private def elsewhere(rows: SparkPlan): SparkPlan = elsewhere(rows, rows)

  private def elsewhere(said: SparkPlan, rows: SparkPlan): SparkPlan = {
    val n = said.outputPartitioning.numPartitions
    Hashed(ShuffleExchangeExec(RoundRobinPartitioning(n), rows), said.outputPartitioning)
  }
}

/** What a Python function returns: one column, computed from the rows that it is given, where these are. */
private case class Returning(column: Alias, child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = Seq(column.toAttribute)
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override protected def doExecute(): RDD[InternalRow] = ProjectExec(Seq(column), child).execute()
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

/** Wants equal rows together. */
private case class Grouped(child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output
  override def requiredChildDistribution: Seq[Distribution] =
    Seq(ClusteredDistribution(child.output))
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

/** Says of rows that they are hashed, and they are not. */
private case class Hashed(child: SparkPlan, override val outputPartitioning: Partitioning)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}
