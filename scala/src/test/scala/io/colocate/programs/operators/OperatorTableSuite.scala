package io.colocate.programs.operators

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan

import io.colocate.programs.{ProgramKit, SparkPlans}
import io.colocate.programs.operators.Verdict._
import io.colocate.testing.{Exchanges, RunConf, TestConf}

/** Each operator of Spark has a row, and what the row says is what the planner does. */
class OperatorTableSuite extends ProgramKit {

  private lazy val samples = new OperatorSamples(spark).all

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for (table <- Seq("t", "u"))
      sql(
        s"CREATE TABLE $table (a INT, b INT, c INT) USING parquet CLUSTERED BY (a) INTO 4 BUCKETS")
  }

  private val settings = RunConf(colocate = true, adaptive = false).settings ++
    TestConf.noBroadcast ++ Seq("spark.colocate.exchange.mode" -> "aggressive",
      "spark.sql.execution.useObjectHashAggregateExec" -> "true")

  private def planned(query: LogicalPlan): SparkPlan =
    withConf(settings: _*)(new SparkPlans(spark).of(query))

  private def shuffles(query: LogicalPlan): Int =
    withConf(settings: _*)(Exchanges.count(spark.sessionState.executePlan(query).executedPlan))

  test("each operator class of Spark has a row") {
    val missing = SparkOperators.all.filter(OperatorTable.of(_).isEmpty).map(_.getSimpleName)
    assert(missing.isEmpty, missing.mkString(" "))
  }

  test("no row is of a class that no Spark has, and none is there twice") {
    val known = SparkOperators.all.flatMap(c =>
      Iterator.iterate[Class[_]](c)(_.getSuperclass)
        .takeWhile(_ != null)).map(_.getSimpleName).toSet
    val names = OperatorTable.rows.flatMap(_.names)
    assert(names.diff(names.distinct).isEmpty)
    assert(names.filterNot(known).filterNot(onlyIn43).isEmpty)
  }

  private val onlyIn43 = Set("BinByExec", "ProjectedBroadcastValueSubqueryExec",
    "MapPartitionsExternalUDFExec", "SortMergeAsOfJoinExec", "ProjectAggregationBufferExec",
    "StatefulStreamlineAggregateExec")

  for (verdict <- Seq(Free, SameKeys, Replicated, OneTask, TotalOrder, CrossProduct, Shuffle))
    test(s"what is said to be ${verdict.text}") {
      val wrong = samples.filter(_.verdict == verdict).flatMap(contradiction)
      assert(wrong.isEmpty, wrong.mkString("\n"))
    }

  test("each verdict of each row has an example") {
    val shown = samples.map(s => s.operator -> s.verdict).toSet
    val asked = for {
      row <- OperatorTable.rows
      name <- row.names if !withoutExample.contains(name)
      verdict <- row.verdicts if !Set[Verdict](Input, Loop, NoRows, NotPlanned, Unknown)(verdict)
    } yield name -> verdict
    assert(asked.filterNot(shown).isEmpty)
    assert(shown.filterNot(asked.toSet).isEmpty)
  }

  test("a row that is wrong is found") {
    val plain = samples.filter(s =>
      OperatorTable.rows.exists(row => row.names.contains(s.operator) && row.verdicts.length == 1))
    for (sample <- plain; other <- Seq(Free, SameKeys, OneTask) if other != sample.verdict)
      assert(contradiction(sample.copy(verdict = other)).nonEmpty, sample.operator)
  }

  /** Operators that need a session of another kind, and why they have no example here. */
  private val withoutExample = Map("FlatMapGroupsInRExec" -> "R's objects",
    "SparkScriptTransformationExec" -> "a script", "HiveScriptTransformationExec" -> "a script",
    "DebugExec" -> "made by debug()", "WriteFilesExec" -> "a write",
    "DataWritingCommandExec" -> "a write")

  private val gathersWithoutExchange =
    Set("CollectLimitExec", "CollectTailExec", "TakeOrderedAndProjectExec")

  /** How the planner, or the operator itself, contradicts what is said of it. */
  private def contradiction(sample: OperatorSample): Option[String] = {
    def says(what: String) = Some(s"${sample.operator} is not ${sample.verdict.text}: $what")
    val plan = planned(sample.query("a"))
    val there = plan.collect {
      case operator if operator.getClass.getSimpleName == sample.operator =>
        OperatorTable.verdict(operator)
    }
    val (byA, byB) = (shuffles(sample.query("a")), shuffles(sample.query("b")))
    if (!there.contains(sample.verdict)) says(s"it is ${there.mkString(", ")} in\n$plan")
    else
      sample.verdict match {
        case CrossProduct => None
        case OneTask if gathersWithoutExchange(sample.operator) => None
        case OneTask | TotalOrder | Shuffle if byA == 0 || byB == 0 => says("there is no shuffle")
        case OneTask | TotalOrder | Shuffle => None
        case _ if sample.followed && byA > 0 => says(s"$byA shuffles by the key of the table")
        case _ if sample.followed && byB == 0 => says("no shuffle by another key")
        case _ => None
      }
  }
}
