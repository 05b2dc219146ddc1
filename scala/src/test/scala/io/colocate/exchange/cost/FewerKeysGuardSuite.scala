package io.colocate.exchange.cost

import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec

import io.colocate.report.{ExchangeReasons, ReasonCode}
import io.colocate.testing.{Clue, EveryOther, Executed, FourRuns, PlanKit, Planned, Reports, TestConf, TestTables}

/**
 * The guard on subset keys, clause by clause, and the facts and refusals of a report that no hard case
 * asks for. Statistics are those of ANALYZE. Each clause has a twin that differs in what it looks at.
 *
 * {{{
 *   build/sbt "scala/testOnly *GuardSuite"
 * }}}
 */
class FewerKeysGuardSuite extends FourRuns with PlanKit with EveryOther {

  override protected def sessionConf: Map[String, String] = TestConf.eightPartitions

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
    TestTables.createWide(spark)
    createKeys()
    createChain()
    createSkewed("skewed")
    createSkewed("skewed_histogram")
    analyse("keys", "skewed_histogram")(histogram = true)
    analyse("f_analysed", "g_analysed", "h_analysed", "skewed", "dim", "small1", "small2")(
      histogram = false)
  }

  /** Keys with many values, with one that four of five rows have, and with few; 40,000 rows. */
  private def createKeys(): Unit = {
    create("keys", 40000,
      "CAST(id * 7919 % 8000 AS INT) AS many, CAST(id % 4 AS INT) AS few, " +
        "CAST(if(id % 5 < 4, 1, id * 7919 % 40000) AS INT) AS hot, CAST(id % 7 AS INT) AS b")
    sql("CREATE TABLE keys_unknown USING parquet AS SELECT * FROM keys")
    create("few_hot", 100, "CAST(id % 3 AS INT) AS hot, CAST(id AS INT) AS many, 1 AS b")
  }

  private def createChain(): Unit = {
    for (known <- Seq("", "_analysed")) {
      create(s"f$known", 2000, "CAST(id % 50 AS INT) AS a, CAST(id % 7 AS INT) AS b, id AS c")
      create(s"g$known", 2000, "id AS c")
      create(s"h$known", 350, "CAST(id % 50 AS INT) AS p, CAST(id % 7 AS INT) AS q")
    }
    sql("CREATE TABLE small1 USING parquet AS SELECT a, d FROM t1")
    sql("CREATE TABLE small2 USING parquet AS SELECT a, d FROM t2")
    create("dim", 700, "CAST(if(id < 500, 1, id % 40) AS INT) AS p, CAST(id % 500 AS INT) AS q")
  }

  /** Four of five rows have a = 1; the texts do not compress. */
  private def createSkewed(name: String): Unit =
    create(name, 6000,
      "/*+ REPARTITION(4) */ CAST(if(id % 5 < 4, 1, id % 40) AS INT) AS a, " +
        "CAST(id % 500 AS INT) AS b, md5(string(id)) AS s")

  private def create(name: String, rows: Int, columns: String): Unit =
    sql(s"CREATE TABLE $name USING parquet AS SELECT $columns FROM range(0, $rows)")

  private def analyse(tables: String*)(histogram: Boolean): Unit =
    withConf("spark.sql.statistics.histogram.enabled" -> histogram.toString) {
      tables.foreach(t => sql(s"ANALYZE TABLE $t COMPUTE STATISTICS FOR ALL COLUMNS"))
    }

  /** The guard's limit for the largest partition; what is small at scale is some KB here. */
  private def limit(bytes: String): (String, String) =
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> bytes

  /** Adaptive execution has its own use for that limit, which only the tests of skew want. */
  private val noSkew = "spark.sql.adaptive.skewJoin.enabled" -> "false"

  private val partitions = "spark.sql.shuffle.partitions" -> "40"

  private def grouped(table: String, key: String): String =
    s"SELECT $key, max(n) AS n FROM (SELECT $key, b, count(*) AS n FROM $table GROUP BY $key, b) " +
      s"GROUP BY $key"

  private def accepted(plans: Planned, stock: Int, evidence: ReasonCode*): Unit =
    plans.shuffles(stock, stock - 1).expectEvidence(evidence: _*)

  private def refused(plans: Planned, stock: Int, why: ReasonCode): Unit =
    plans.shuffles(stock, stock).expect(why).expectEvidence()

  test("SMALL_EDGE: all rows together are below the limit, whatever their keys") {
    accepted(planned(grouped("keys", "hot"), noSkew), 2, ExchangeReasons.SmallEdge)
    accepted(planned(grouped("keys_unknown", "hot"), noSkew), 2, ExchangeReasons.SmallEdge)
    refused(planned(grouped("keys", "hot"), noSkew, limit("8KB")), 2, ExchangeReasons.HotValue)
  }

  test("SMALL_EDGE: the largest partition is below the limit, by the keys' distinct values") {
    val settings = Seq(noSkew, partitions, limit("24KB"))
    accepted(planned(grouped("keys", "many"), settings: _*), 2, ExchangeReasons.SmallEdge)
    refused(planned(grouped("keys", "few"), settings: _*), 2, ExchangeReasons.TooFewKeys)
    refused(planned(grouped("keys_unknown", "many"), settings: _*), 2, ExchangeReasons.UnknownSize)
  }

  test("SMALL_EDGE_ASSUMED: below is a join on keys without statistics") {
    def chain(known: String) =
      s"SELECT x.a, count(*) AS n FROM f$known x JOIN g$known y ON x.c = y.c " +
        s"JOIN h$known z ON x.a = z.p AND x.b = z.q GROUP BY x.a"
    // The third table is shuffled as well, and lies above no join.
    accepted(planned(chain(""), noSkew), 5, ExchangeReasons.SmallEdgeAssumed,
      ExchangeReasons.SmallEdge)
    accepted(planned(chain("_analysed"), noSkew), 5, ExchangeReasons.SmallEdge)
    refused(planned(chain(""), noSkew, limit("1KB")), 5, ExchangeReasons.UnknownSize)
  }

  test("MANY_KEYS: enough distinct values and no hot one, on an edge above the limit") {
    val settings = Seq(noSkew, partitions, limit("8KB"))
    accepted(planned(grouped("keys", "many"), settings: _*), 2, ExchangeReasons.ManyKeys)
    refused(planned(grouped("keys", "hot"), settings: _*), 2, ExchangeReasons.HotValue)
    refused(planned(grouped("keys", "few"), settings: _*), 2, ExchangeReasons.TooFewKeys)
    refused(planned(grouped("keys_unknown", "many"), settings: _*), 2, ExchangeReasons.UnknownSize)
    // An eighth of the rows in each of eight partitions is no hot value.
    accepted(planned(grouped("keys", "many"), noSkew, limit("8KB")), 2, ExchangeReasons.ManyKeys)
    val more = "spark.colocate.exchange.minKeysPerPartition" -> "1000"
    refused(planned(grouped("keys", "many"), settings :+ more: _*), 2, ExchangeReasons.TooFewKeys)
  }

  test("SAME_RISK: Spark alone would shuffle the same rows on the key, not only groups of them") {
    val settings = Seq(noSkew, limit("8KB"))
    // The upper window reads the lower one's count, or Spark would change their places.
    accepted(
      planned("SELECT hot, n, sum(n) OVER (PARTITION BY hot) AS m FROM " +
          "(SELECT hot, count(*) OVER (PARTITION BY hot, b) AS n FROM keys)", settings: _*), 2,
      ExchangeReasons.SameRisk)
    refused(
      planned("SELECT hot, n, sum(n) OVER (PARTITION BY hot) AS m FROM " +
          "(SELECT hot, count(*) AS n FROM keys GROUP BY hot, b)", settings: _*), 2,
      ExchangeReasons.HotValue)
  }

  test("SAME_RISK: not below a join that leaves out rows") {
    def windows(join: String) =
      "SELECT hot, n, sum(n) OVER (PARTITION BY hot) AS m FROM (SELECT /*+ BROADCAST(s) */ hot, n " +
        "FROM (SELECT hot, count(*) OVER (PARTITION BY hot, b) AS n FROM keys) k " +
        s"$join (SELECT DISTINCT b + 1 AS b FROM keys) s ON k.n = s.b)"
    val settings = Seq(noSkew, limit("8KB"))
    for (join <- Seq("JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN")) withClue(join) {
      refused(planned(windows(join), settings: _*), 3, ExchangeReasons.HotValue)
    }
    accepted(planned(windows("LEFT JOIN"), settings: _*), 3, ExchangeReasons.SameRisk)
  }

  test("SAME_RISK: not below an explode, which gives no row for an empty array") {
    def windows(view: String) =
      "SELECT hot, e, sum(e) OVER (PARTITION BY hot) AS m FROM " +
        "(SELECT hot, count(*) OVER (PARTITION BY hot, b) AS n FROM keys) " +
        s"LATERAL VIEW $view explode(filter(array(1, 2), x -> x < n % 3)) t AS e"
    val settings = Seq(noSkew, limit("8KB"))
    refused(planned(windows(""), settings: _*), 2, ExchangeReasons.HotValue)
    accepted(planned(windows("OUTER"), settings: _*), 2, ExchangeReasons.SameRisk)
  }

  test("SAME_RISK: of a join's sides, that whose rows Spark alone would shuffle so") {
    val settings = Seq(noSkew, limit("8KB"))
    def sides(right: String) =
      "SELECT hot, n, sum(n) OVER (PARTITION BY hot) AS m FROM (SELECT x.hot, x.b + y.b AS n " +
        s"FROM keys x LEFT JOIN $right y ON x.hot = y.hot AND x.many = y.many)"
    refused(planned(sides("keys"), settings: _*), 3, ExchangeReasons.HotValue)
    accepted(planned(sides("few_hot"), settings: _*), 3, ExchangeReasons.SameRisk,
      ExchangeReasons.SmallEdge)
  }

  test("CONSTANT_KEYS: the keys left out are fixed to one value, and not to one of two") {
    def fixed(a: String) = "SELECT t1.b, count(*) AS n FROM t1 JOIN t2 " +
      s"ON t1.a = t2.a AND t1.b = t2.b WHERE t1.a $a GROUP BY t1.b"
    val settings = Seq(noSkew, limit("1B"))
    accepted(planned(fixed("= 1"), settings: _*), 3, ExchangeReasons.ConstantKeys)
    refused(planned(fixed("IN (1, 2)"), settings: _*), 3, ExchangeReasons.UnknownSize)
  }

  test("AGGRESSIVE_MODE: no other evidence is asked for") {
    val aggressive = "spark.colocate.exchange.mode" -> "aggressive"
    val settings = Seq(noSkew, limit("8KB"))
    accepted(planned(grouped("keys", "hot"), settings :+ aggressive: _*), 2,
      ExchangeReasons.AggressiveMode)
    refused(planned(grouped("keys", "hot"), settings: _*), 2, ExchangeReasons.HotValue)
  }

  private def said(run: Executed) = new Clue(s"${Reports.of(run)}\n${planText(run)}")

  private val joined =
    "SELECT x.a, count(*) AS n, max(x.s) AS s FROM TABLE x JOIN dim y ON x.a = y.p AND x.b = y.q " +
      "GROUP BY x.a"

  /** The limit is above the largest partition as estimated, and below the real one. */
  private val splitting = Seq(limit("64KB"),
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "2.0",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "16KB",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> "false",
    "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1B")

  // ANALYZE gathers histograms only where it is told to. Without one the guard takes the keys to be
  // equally frequent, which is an assumption; a finished stage shows better.
  test("a hot key that statistics without histograms hide: accepted, then seen and withdrawn") {
    val runs = fourSql(joined.replace("TABLE", "skewed"), splitting: _*)
    assertSomeRows(runs)
    for (run <- runs.own) assert(Reports.reasons(run)(ExchangeReasons.SmallEdge), said(run))
    assert(runs.ourCount == 2, planText(runs.own: _*))
    assert(largestPartition(runs.oursAdaptive) > 64 * 1024, planText(runs.oursAdaptive))
    assert(runs.oursAdaptive.shuffles == 3, planText(runs.oursAdaptive))
    assert(Reports.declines(runs.oursAdaptive)(ExchangeReasons.SkewSeen), said(runs.oursAdaptive))
  }

  test("a skewed side that Spark may not split: nothing is withdrawn") {
    val query = "SELECT y.p, count(*) AS n, max(x.s) AS s FROM dim y LEFT JOIN skewed x " +
      "ON x.a = y.p AND x.b = y.q GROUP BY y.p"
    val runs = fourSql(query, splitting: _*)
    assertSomeRows(runs)
    assert(largestPartition(runs.oursAdaptive) > 64 * 1024, planText(runs.oursAdaptive))
    for (run <- runs.own) {
      assert(run.shuffles == 2, planText(run))
      assert(!Reports.declines(run)(ExchangeReasons.SkewSeen), said(run))
    }
  }

  test("a hot key that a histogram shows is refused, so there is nothing to withdraw") {
    val query = joined.replace("TABLE", "skewed_histogram")
    refused(planned(query, splitting: _*), 3, ExchangeReasons.TooFewKeys)
    val run = fourSql(query, splitting: _*).oursAdaptive
    assert(!Reports.declines(run)(ExchangeReasons.SkewSeen), said(run))
  }

  private def largestPartition(run: Executed): Long =
    nodes(run) { case stage: ShuffleQueryStageExec => stage }.flatMap(_.mapStats)
      .flatMap(_.bytesByPartitionId).max

  test("EQUAL_COLUMNS: a filter makes two columns equal and not NULL") {
    def equal(operator: String) = "SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a " +
      s"WHERE t1.a $operator t1.b GROUP BY t1.b"
    planned(equal("=")).shuffles(stock = 3, ours = 2).expect(ExchangeReasons.EqualColumns)
    for (operator <- Seq("<=>", "<=")) withClue(operator) {
      planned(equal(operator)).shuffles(stock = 3, ours = 3).expectNot(ExchangeReasons.EqualColumns)
    }
  }

  test("KEY_ORDER: two sides group by the same keys in different orders") {
    def join(keys: String) = "SELECT x.a, x.b, x.n, y.n AS m FROM " +
      s"(SELECT a, b, count(*) AS n FROM t1 GROUP BY $keys) x JOIN " +
      "(SELECT a, b, count(*) AS n FROM t2 GROUP BY a, b) y ON x.a = y.a AND x.b = y.b"
    planned(join("b, a")).shuffles(stock = 3, ours = 2).expect(ExchangeReasons.KeyOrder)
    planned(join("a, b")).shuffles(stock = 2, ours = 2).expectNot(ExchangeReasons.KeyOrder)
  }

  test("NOT_CHEAPER: fewer bytes, but few beside the start of a stage") {
    def union(grouped: String, plain: String) =
      s"SELECT a, max(m) AS m, count(*) AS n FROM (SELECT a, max(d) AS m FROM $grouped GROUP BY a " +
        s"UNION ALL SELECT a, d AS m FROM $plain) GROUP BY a"
    val few = planned(union("small1", "small2")).shuffles(stock = 2, ours = 2)
    few.expect(ExchangeReasons.NotCheaper)
    assert(Reports.of(few.ours).forall(!_.changed), few.text)
    val many = planned(union("wide1", "narrow")).shuffles(stock = 2, ours = 2)
    many.expectNot(ExchangeReasons.NotCheaper)
    assert(Reports.of(many.ours).exists(_.changed), many.text)
  }

  test("PLAN_TOO_LARGE: one operator more than are searched") {
    val query =
      "SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a"
    def atMost(operators: Int) =
      planned(query, "spark.colocate.exchange.maxOperators" -> operators.toString)
    val operators = Reports.of(atMost(1).ours).flatMap(_.kept).flatMap(_.reason.args).toMap
      .apply("operators").toInt
    refused(atMost(operators - 1), 3, ExchangeReasons.PlanTooLarge)
    accepted(atMost(operators), 3, ExchangeReasons.SmallEdge)
  }
}
