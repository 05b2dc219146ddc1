package io.colocate.explain.plan

import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

import io.colocate.explain.ExplainSession

class PlanWalkSuite extends ExplainSession {

  private val union =
    "SELECT a, n FROM (SELECT a, count(*) n FROM t GROUP BY a) UNION ALL" +
      " SELECT a, n FROM (SELECT a, count(*) n FROM t GROUP BY a)"
  private val subquery = "SELECT a FROM t WHERE b > (SELECT max(c) FROM t)"

  for (on <- Seq(true, false)) {
    test(s"a join under an aggregate has three shuffles, before and after the run, AQE $on") {
      aqe(on) {
        val frame = spark.sql(join)
        assert(PlanWalk.shuffleCount(plan(frame)) == 3)
        frame.collect()
        assert(PlanWalk.shuffleCount(plan(frame)) == 3)
      }
    }

    test(s"a plan without shuffles has none, AQE $on") {
      aqe(on) {
        val frame = spark.sql("SELECT a + b FROM t WHERE c = 1")
        assert(PlanWalk.shuffleCount(plan(frame)) == 0)
        frame.collect()
        assert(PlanWalk.shuffleCount(plan(frame)) == 0)
      }
    }

    test(s"a reused exchange counts once, before and after the run, AQE $on") {
      aqe(on) {
        val frame = spark.sql(union)
        assert(PlanWalk.shuffleCount(plan(frame)) == 1)
        frame.collect()
        assert(PlanWalk.shuffleCount(plan(frame)) == 1)
        assert(PlanWalk.all(plan(frame)).exists(_.isInstanceOf[ReusedExchangeExec]))
      }
    }

    test(s"where reuse is off each of two equal exchanges counts, AQE $on") {
      withConf("spark.sql.exchange.reuse" -> "false") {
        aqe(on) {
          assert(PlanWalk.shuffleCount(plan(spark.sql(union))) == 2)
        }
      }
    }

    test(s"a subquery's shuffle counts and is a part of its own, AQE $on") {
      aqe(on) {
        val frame = spark.sql(subquery)
        assert(PlanWalk.shuffleCount(plan(frame)) == 1)
        assert(PlanWalk.parts(plan(frame)).size == 2)
        frame.collect()
        assert(PlanWalk.shuffleCount(plan(frame)) == 1)
        assert(PlanWalk.nodes(plan(frame)).count(PlanWalk.isShuffle) == 0)
      }
    }

    test(s"the plan of a cached table is not this query's, AQE $on") {
      aqe(on) {
        val cached = spark.sql(groups).cache()
        try {
          cached.count()
          val frame = cached.selectExpr("a + b")
          assert(PlanWalk.shuffleCount(plan(frame)) == 0)
          frame.collect()
          assert(PlanWalk.shuffleCount(plan(frame)) == 0)
        } finally cached.unpersist(blocking = true)
      }
    }

    test(s"a write command is looked through, AQE $on") {
      aqe(on) {
        spark.sql("CREATE TABLE walked (a BIGINT, b BIGINT, n BIGINT) USING parquet")
        try {
          val frame = spark.sql(s"INSERT INTO walked $groups")
          assert(PlanWalk.shuffleCount(plan(frame)) == 1)
        } finally spark.sql("DROP TABLE walked")
      }
    }
  }

  test("a plan may still change until adaptive execution has ended") {
    aqe(on = true) {
      val frame = spark.sql(groups)
      assert(PlanWalk.undecided(plan(frame)))
      frame.collect()
      assert(!PlanWalk.undecided(plan(frame)))
    }
    aqe(on = false)(assert(!PlanWalk.undecided(plan(spark.sql(groups)))))
  }
}
