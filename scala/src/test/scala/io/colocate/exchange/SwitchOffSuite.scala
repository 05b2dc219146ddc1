package io.colocate.exchange

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import io.colocate.testing.{CaseFile, ColocateTestSession, Nightly, PlanText, QueryCase, TestConf, TestTables}

/**
 * Switched off in a running session, every plan is exactly Spark's: the plans of the whole catalogue in
 * a session with the extension, one flag false, against a session that never saw it.
 *
 * {{{
 *   build/sbt "scala/testOnly *SwitchOffSuite"
 * }}}
 */
class SwitchOffSuite extends AnyFunSuite {

  private val shapes =
    Seq("catalogue", "catalogue-optimal", "catalogue-negative").flatMap(f =>
      Nightly.part(CaseFile.read(s"sql/$f.sql").filter(_.hasPlanText), 4))

  private val switches = Seq(Seq("spark.colocate.enabled"),
    Seq("spark.colocate.exchange.enabled", "spark.colocate.changes.enabled"))

  private lazy val alone = plans(extension = false, Nil)

  test("a switched-off session plans as Spark alone") {
    assume(TestConf.extensionExists)
    for (switch <- switches) {
      val off = plans(extension = true, switch)
      for ((name, plan) <- alone) assert(off(name) == plan, s"$name with $switch=false")
    }
  }

  test("a switched-on session plans otherwise") {
    assume(TestConf.extensionExists)
    val on = plans(extension = true, Nil)
    assert(alone.count { case (name, plan) => on(name) != plan } >= Nightly.count(60, 15))
  }

  test(
    "a session that is switched off from its beginning has the settings of one without the extension") {
    assume(TestConf.extensionExists)
    val Seq(switch) = switches.head
    def settings(extension: Boolean): Map[String, String] =
      new OneSession(extension).use(_.settingsOfAnother(switch -> "false"))
    val Seq(off, alone) = Seq(true, false).map(settings)
    val own = Set("spark.sql.extensions", "spark.sql.warehouse.dir", "spark.app.id",
      "spark.app.startTime", "spark.app.submitTime", "spark.driver.port", "spark.app.name")
    assert(off.removedAll(own) == alone.removedAll(own))
    assert(off.contains(switch))
  }

  /** Plans by shape and adaptive execution, from a session of their own. */
  private def plans(extension: Boolean, off: Seq[String]): Map[String, String] =
    new OneSession(extension).use { session =>
      session.create()
      // Switched on first: what a query leaves behind must not matter.
      if (off.nonEmpty) session.plan(shapes.head, adaptive = true)
      off.foreach(session.set(_, "false"))
      (for (shape <- shapes; adaptive <- Seq(false, true))
        yield s"${shape.name}, AQE $adaptive" -> session.plan(shape, adaptive)).toMap
    }

  private class OneSession(extension: Boolean) extends AnyFunSuite with ColocateTestSession {
    override protected def sessionConf: Map[String, String] =
      if (extension) Map.empty else Map("spark.sql.extensions" -> "")

    def use[T](body: OneSession => T): T = {
      beforeAll()
      try body(this)
      finally afterAll()
    }

    def create(): Unit = {
      TestTables.createAll(spark)
    }

    /** Of a new session, in which a query ran. */
    def settingsOfAnother(setting: (String, String)): Map[String, String] = {
      val session = spark.newSession()
      session.conf.set(setting._1, setting._2)
      session.range(3).groupBy("id").count().collect()
      session.conf.getAll
    }

    def set(key: String, value: String): Unit = spark.conf.set(key, value)

    def plan(shape: QueryCase, adaptive: Boolean): String =
      withConf(TestConf.noBroadcast :+ ("spark.sql.adaptive.enabled" -> adaptive.toString): _*) {
        PlanText.normal(sql(shape.sql).queryExecution.executedPlan match {
          case aqe: AdaptiveSparkPlanExec => aqe.initialPlan.toString
          case other => other.toString
        })
      }
  }
}
