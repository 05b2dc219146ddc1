package io.colocate.programs.operators

import org.apache.spark.sql.{functions => F}
import org.apache.spark.sql.catalyst.expressions.{Shuffle => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.Max
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types.{IntegerType, StructType}

import io.colocate.programs.operators.Verdict._
import io.colocate.testing.PythonFunctions

/**
 * A query that has an operator.
 *
 * @param operator the simple name of its class
 * @param verdict  what it asks in this query
 * @param query    the query by a key; of a free operator with a grouping by the key above it
 * @param followed false if the operator hands no column on, so that its query has no key
 */
final case class OperatorSample(
    operator: String,
    verdict: Verdict,
    query: String => LogicalPlan,
    followed: Boolean = true)

/** Queries over a table t (a INT, b INT, c INT) that lies by a, and a table u that lies so too. */
final class OperatorSamples(spark: SparkSession) {

  private def sql(text: String): LogicalPlan = spark.sql(text).queryExecution.analyzed
  private def t: DataFrame = spark.table("t")

  private def sample(operator: String, verdict: Verdict)(query: String => String) =
    OperatorSample(operator, verdict, key => sql(query(key)))

  /** A query that is the same whatever the key. */
  private def still(operator: String, verdict: Verdict)(query: => LogicalPlan) =
    OperatorSample(operator, verdict, _ => query, followed = false)

  private def above(rows: String)(key: String) =
    s"SELECT $key, count(*) FROM ($rows) GROUP BY $key"

  private val aggregates = Seq("HashAggregateExec" -> "max(c)",
    "ObjectHashAggregateExec" -> "collect_list(c)", "SortAggregateExec" -> "max(CAST(c AS STRING))")

  private def grouped: Seq[OperatorSample] = aggregates.flatMap { case (operator, function) =>
    Seq(sample(operator, SameKeys)(key => s"SELECT $key, $function FROM t GROUP BY $key"),
      sample(operator, Free)(key => s"SELECT $key, $function FROM t GROUP BY $key"),
      still(operator, OneTask)(sql(s"SELECT $function FROM t")))
  }

  private def rowByRow: Seq[OperatorSample] = Seq("ProjectExec" -> "SELECT a, b, c % 2 AS d FROM t",
    "FilterExec" -> "SELECT * FROM t WHERE c > 1",
    "GenerateExec" -> "SELECT *, explode(array(c, 1)) FROM t",
    "SampleExec" -> "SELECT * FROM t TABLESAMPLE (50 PERCENT)",
    "UnionExec" -> "SELECT * FROM t UNION ALL SELECT * FROM u",
    "ExpandExec" -> "SELECT a, b, c FROM t GROUP BY GROUPING SETS ((a, b, c), (a, b))").map {
    case (operator, rows) =>
      sample(operator, Free)(above(rows))
  }

  private def joined: Seq[OperatorSample] =
    Seq(sample("SortMergeJoinExec", SameKeys)(key => s"SELECT * FROM t JOIN u ON t.$key = u.$key"),
      sample("ShuffledHashJoinExec", SameKeys)(key =>
        s"SELECT /*+ SHUFFLE_HASH(u) */ * FROM t JOIN u ON t.$key = u.$key"),
      sample("BroadcastHashJoinExec", Replicated)(
        above("SELECT /*+ BROADCAST(u) */ t.* FROM t JOIN u ON t.c = u.c")),
      sample("BroadcastNestedLoopJoinExec", Replicated)(
        above("SELECT /*+ BROADCAST(u) */ t.* FROM t JOIN u ON t.c < u.c")),
      still("CartesianProductExec", CrossProduct)(sql("SELECT * FROM t, u")))

  private def windows: Seq[OperatorSample] =
    Seq(sample("WindowExec", SameKeys)(key => s"SELECT max(c) OVER (PARTITION BY $key) FROM t"),
      still("WindowExec", OneTask)(sql("SELECT row_number() OVER (ORDER BY c) FROM t")),
      sample("WindowGroupLimitExec", SameKeys)(first), sample("WindowGroupLimitExec", Free)(first),
      still("WindowGroupLimitExec", OneTask)(
        sql("SELECT * FROM (SELECT *, rank() OVER (ORDER BY c) AS r FROM t) WHERE r < 3")),
      sample("UpdatingSessionsExec", SameKeys)(sessions(_, "count(DISTINCT c)")),
      still("UpdatingSessionsExec", OneTask)(sql(
          "SELECT count(DISTINCT c) FROM t GROUP BY session_window(CAST(c AS TIMESTAMP), '1 minute')")),
      sample("MergingSessionsExec", SameKeys)(sessions(_, "count(*)")),
      still("MergingSessionsExec", OneTask)(
        sql("SELECT count(*) FROM t GROUP BY session_window(CAST(c AS TIMESTAMP), '1 minute')")))

  private def first(key: String) =
    s"SELECT * FROM (SELECT *, rank() OVER (PARTITION BY $key ORDER BY c) AS r FROM t) WHERE r < 3"

  private def sessions(key: String, function: String) =
    s"SELECT $key, $function FROM t GROUP BY $key, session_window(CAST(c AS TIMESTAMP), '1 minute')"

  private def gathered: Seq[OperatorSample] =
    Seq(still("SortExec", Free)(sql("SELECT * FROM t SORT BY c")),
      still("SortExec", TotalOrder)(sql("SELECT * FROM t ORDER BY c")),
      still("CollectLimitExec", OneTask)(sql("SELECT * FROM t LIMIT 3")),
      still("GlobalLimitExec", OneTask)(sql("SELECT count(*) FROM (SELECT * FROM t LIMIT 3)")),
      still("LocalLimitExec", Free)(sql("SELECT count(*) FROM (SELECT * FROM t LIMIT 3)")),
      still("CollectTailExec", OneTask)(Tail(Literal(3), t.queryExecution.analyzed)),
      still("TakeOrderedAndProjectExec", OneTask)(sql("SELECT * FROM t ORDER BY c LIMIT 3")),
      still("ShuffleExchangeExec", Shuffle)(t.repartition(3).queryExecution.analyzed))

  private def ofScala: Seq[OperatorSample] = {
    val session = spark
    import session.implicits._
    def rows = t.as[(Int, Int, Int)]
    Seq(still("MapElementsExec", Free)(rows.map(_._1).queryExecution.analyzed),
      still("DeserializeToObjectExec", Free)(rows.map(_._1).queryExecution.analyzed),
      still("SerializeFromObjectExec", Free)(rows.map(_._1).queryExecution.analyzed),
      still("MapPartitionsExec", Free)(rows.mapPartitions(identity).queryExecution.analyzed),
      still("AppendColumnsExec", Free)(rows.groupByKey(_._1).mapGroups((k, _) => k)
          .queryExecution.analyzed),
      still("AppendColumnsWithObjectExec", Free)(rows.map(_._1).groupByKey(identity)
          .mapGroups((k, _) => k).queryExecution.analyzed),
      OperatorSample("MapGroupsExec", SameKeys,
        key =>
          t.groupBy(key).as[Int, (Int, Int, Int)]
            .mapGroups((k, _) => k).queryExecution.analyzed),
      OperatorSample("CoGroupExec", SameKeys,
        key =>
          t.groupBy(key).as[Int, (Int, Int, Int)]
            .cogroup(spark.table("u").groupBy(key).as[Int, (Int, Int, Int)])((k, _, _) =>
              Iterator(k))
            .queryExecution.analyzed))
  }

  private def metrics: Seq[OperatorSample] = Seq(OperatorSample("CollectMetricsExec", Free,
    key =>
      t.observe("seen", F.count(F.lit(1)))
        .groupBy(key).count().queryExecution.analyzed),
    still("CoalesceExec", Free)(t.coalesce(2).queryExecution.analyzed))

  private val out = Seq(AttributeReference("o", IntegerType)())

  private def udf(evalType: Int, asked: Seq[Expression]) =
    PythonFunctions.udf(Array.emptyByteArray, asked, evalType, IntegerType)

  private def over(rows: LogicalPlan)(key: String): LogicalPlan = {
    val column = rows.output.find(_.name == key).get
    val read = Max(rows.output.last).toAggregateExpression()
    Aggregate(Seq(column), Seq(column, Alias(read, "m")()), rows)
  }

  private def keyed(make: (LogicalPlan, Seq[Attribute]) => LogicalPlan)(key: String) = {
    val rows = t.queryExecution.analyzed
    make(rows, rows.output.filter(_.name == key))
  }

  private def both(make: (LogicalPlan, LogicalPlan, Int) => LogicalPlan, keys: Boolean = true)(
      key: String) = {
    def side(rows: LogicalPlan) =
      if (keys) Project(rows.output.filter(_.name == key) ++ rows.output, rows) else rows
    make(side(t.queryExecution.analyzed), side(spark.table("u").queryExecution.analyzed),
      if (keys) 1 else 0)
  }

  private def ofPython: Seq[OperatorSample] = {
    val rows = t.queryExecution.analyzed
    val all = rows.output
    def generated(evalType: Int) =
      Generate(PythonFunctions.table(all.take(1), evalType, new StructType().add("o", IntegerType)),
        Nil, outer = false, None, out, rows)
    Seq(OperatorSample("ArrowEvalPythonExec", Free,
      over(Project(all :+ Alias(udf(101, all.take(1)), "p")(), rows))),
      OperatorSample("BatchEvalPythonExec", Free,
        over(Project(all :+ Alias(udf(100, all.take(1)), "p")(), rows))),
      OperatorSample("ArrowEvalPythonUDTFExec", Free, over(generated(301))),
      OperatorSample("BatchEvalPythonUDTFExec", Free, over(generated(300))),
      still("MapInPandasExec", Free)(MapInPandas(udf(205, all), out, rows, false, None)),
      still("MapInArrowExec", Free)(MapInArrow(udf(207, all), out, rows, false, None)),
      still("MapPartitionsInRWithArrowExec", Free)(MapPartitionsInRWithArrow(Array.emptyByteArray,
        Array.emptyByteArray, Array.empty, StructType(Nil), out, rows)),
      OperatorSample("FlatMapGroupsInRWithArrowExec", SameKeys,
        keyed((rows, keys) =>
          FlatMapGroupsInRWithArrow(Array.emptyByteArray, Array.emptyByteArray, Array.empty,
            StructType(Nil), out, Literal(1), keys, rows))),
      OperatorSample("FlatMapGroupsInPandasExec", SameKeys,
        keyed((rows, keys) => FlatMapGroupsInPandas(keys, udf(201, rows.output), out, rows))),
      still("FlatMapGroupsInPandasExec", OneTask)(FlatMapGroupsInPandas(Nil, udf(201, all), out,
        rows)),
      OperatorSample("FlatMapGroupsInArrowExec", SameKeys,
        keyed((rows, keys) => FlatMapGroupsInArrow(keys, udf(209, rows.output), out, rows))),
      still("FlatMapGroupsInArrowExec", OneTask)(FlatMapGroupsInArrow(Nil, udf(209, all), out,
        rows)),
      OperatorSample("FlatMapCoGroupsInPandasExec", SameKeys,
        both((l, r, n) =>
          FlatMapCoGroupsInPandas(n, n, udf(206, l.output ++ r.output), out, l, r))),
      OperatorSample("FlatMapCoGroupsInArrowExec", SameKeys,
        both((l, r, n) => FlatMapCoGroupsInArrow(n, n, udf(210, l.output ++ r.output), out, l, r))),
      still("FlatMapCoGroupsInPandasExec", OneTask)(both((l, r, n) =>
          FlatMapCoGroupsInPandas(n, n, udf(206, l.output ++ r.output), out, l, r), keys = false)(
          "a")),
      still("FlatMapCoGroupsInArrowExec", OneTask)(both((l, r, n) =>
          FlatMapCoGroupsInArrow(n, n, udf(210, l.output ++ r.output), out, l, r), keys = false)(
          "a")),
      OperatorSample("ArrowAggregatePythonExec", SameKeys,
        keyed((rows, keys) => Aggregate(keys, keys :+ Alias(mean(rows), "m")(), rows))),
      still("ArrowAggregatePythonExec", OneTask)(Aggregate(Nil, Seq(Alias(mean(rows), "m")()),
        rows)),
      OperatorSample("ArrowWindowPythonExec", SameKeys,
        keyed((rows, keys) => Project(Seq(Alias(window(mean(rows), keys), "m")()), rows))),
      still("ArrowWindowPythonExec", OneTask)(Project(Seq(Alias(window(mean(rows), Nil), "m")()),
        rows)),
      still("AttachDistributedSequenceExec", Free)(AttachDistributedSequence(out.head, rows,
        false)))
  }

  private def mean(rows: LogicalPlan) =
    PythonFunctions.aggregate(rows.output.take(1), 202, IntegerType).toAggregateExpression()

  private def window(function: Expression, keys: Seq[Expression]) =
    WindowExpression(function,
      WindowSpecDefinition(keys, Nil,
        SpecifiedWindowFrame(RowFrame, UnboundedPreceding, UnboundedFollowing)))

  val all: Seq[OperatorSample] =
    grouped ++ rowByRow ++ joined ++ windows ++ gathered ++ ofScala ++ metrics ++ ofPython
}
