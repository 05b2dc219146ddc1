package io.colocate.exchange

import io.colocate.rule.ColocateConf
import io.colocate.testing.{EveryOther, FourRuns, RunConf, TestTables}

/**
 * A setting or a hint that is none gives one sentence that names it, its value and what is accepted.
 *
 * {{{
 *   build/sbt "scala/testOnly *BadSettingsSuite"
 * }}}
 */
class BadSettingsSuite extends FourRuns with EveryOther {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    TestTables.create(spark)
  }

  private val select = "a, max(n) AS n FROM " +
    "(SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a"

  private def message(query: String, settings: (String, String)*): String =
    withConf(settings: _*)(intercept[IllegalArgumentException](sql(query).collect()).getMessage)

  private val wrong = Seq(("exchange.mode", "fast", "off, conservative, aggressive"),
    ("exchange.maxCandidates", "0", "a whole number from 1"),
    ("exchange.maxOperators", "many", "a whole number from 1"),
    ("exchange.minKeysPerPartition", "1.5", "a whole number from 1"),
    ("exchange.maxHotShare", "2", "a number above 0 and up to 1"),
    ("exchange.maxHotShare", "NaN", "a number above 0 and up to 1"),
    ("hyperjoin.mode", "on", "auto, force, off"),
    ("hyperjoin.groupBytes", "64q", "a size above 0, such as 64m"),
    ("hyperjoin.shuffleCost", "0.5", "a number from 1"),
    ("explain.history", "-1", "a whole number from 0"), ("enabled", "maybe", "true or false"))

  for ((name, value, accepted) <- wrong; adaptive <- Seq(false, true))
    test(s"$name is '$value', AQE $adaptive") {
      val key = s"spark.colocate.$name"
      val run = RunConf(colocate = true, adaptive).settings :+ (key -> value)
      val text = message(s"SELECT $select", run: _*)
      assert(text.startsWith(
          s"[COLOCATE_INVALID_CONF] $key is '$value'; accepted: $accepted (default: "))
      assert(text.endsWith(").") && !text.contains("\n"))
    }

  private val statements = Seq("SHOW TABLES", "SHOW DATABASES", "USE default",
    "SET spark.sql.ansi.enabled", "CREATE OR REPLACE TEMP VIEW v AS SELECT 1 AS a",
    "DESCRIBE TABLE t1", "RESET spark.colocate.explain.history")

  for ((name, value, _) <- wrong; adaptive <- Seq(false, true))
    test(s"$name is '$value', AQE $adaptive: SQL alone mends it") {
      val key = s"spark.colocate.$name"
      withConf(RunConf(colocate = true, adaptive).settings :+ (key -> value): _*) {
        statements.foreach(sql(_).collect())
        sql(s"RESET $key").collect()
        assert(sql(s"SELECT $select").collect().nonEmpty)
      }
      withConf(RunConf(colocate = true, adaptive).settings :+ (key -> value): _*) {
        sql(s"SET $key=${spark.conf.get(key, "")}").collect()
        intercept[IllegalArgumentException](sql(s"SELECT $select").collect())
        sql(s"SET $key=${right(name)}").collect()
        assert(sql(s"SELECT $select").collect().nonEmpty)
      }
    }

  /** The default of a key. */
  private def right(name: String): String =
    ColocateConf.entries.find(_.key == s"spark.colocate.$name").get.default.toString

  test("settings as they should be, in any case and with blanks around them") {
    val fine = Seq("exchange.mode" -> " Aggressive ", "exchange.maxHotShare" -> "1",
      "hyperjoin.groupBytes" -> "1m", "explain.history" -> "0")
    val runs = fourSql(s"SELECT $select", fine.map(s => s"spark.colocate.${s._1}" -> s._2): _*)
    assertShuffles(runs, stock = 2, ours = 1)
  }

  test("a wrong value of what is switched off is no trouble") {
    assertShuffles(fourSql(s"SELECT $select", "spark.colocate.exchange.enabled" -> "false",
      "spark.colocate.exchange.mode" -> "fast"), stock = 2, ours = 2)
  }

  private val accepted = "; accepted: one of off, conservative, aggressive."

  for ((hint, given) <- Seq("COLOCATE" -> "missing", "COLOCATE(fast)" -> "'fast'",
      "COLOCATE(off, off)" -> "'off, off'", "COLOCATE(1)" -> "'1'"))
    test(s"the hint $hint") {
      assert(message(s"SELECT /*+ $hint */ $select") ==
        s"[COLOCATE_INVALID_HINT] the argument of COLOCATE is $given$accepted")
    }

  test("the hint as it should be, as a word or as a text") {
    for ((hint, ours) <- Seq("COLOCATE(off)" -> 2, "colocate('OFF')" -> 2,
        "Colocate(aggressive)" -> 1))
      assertShuffles(fourSql(s"SELECT /*+ $hint */ $select"), stock = 2, ours = ours)
  }
}
