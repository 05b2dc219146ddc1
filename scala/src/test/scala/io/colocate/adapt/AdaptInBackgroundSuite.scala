package io.colocate.adapt

import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Seconds, Span}

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SimpleMode

import io.colocate.tables.sql.TableSession

/** Tables that are adapted by a thread of the driver, with nobody asking for it. */
class AdaptInBackgroundSuite extends TableSession with Eventually {

  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(timeout = Span(60, Seconds), interval = Span(1, Seconds))

  private def auto(mode: String = "auto"): String =
    create(numbers(8000), "maxLeafRows" -> "200", "adapt" -> mode)

  /** As many queries as make the driver write them down. */
  private def ask(path: String): Unit =
    (0 until 160).foreach(i => listed(read(path).where(s"b >= ${i * 5} AND b < ${i * 5 + 15}")))

  private def operations(path: String): Seq[String] = log(path).history.map(_.info.operation).toSeq

  private def inBackground(body: => Unit): Unit =
    withConf("spark.colocate.adapt.background" -> "true")(body)

  test("a table with adapt = auto is adapted, and queries go on meanwhile") {
    val path = auto()
    inBackground {
      ask(path)
      eventually(assert(operations(path).head == "ADAPT"))
      same(numbers(8000).where("b < 300"), read(path).where("b < 300"))
      same(numbers(8000), read(path))
      // What was found out is in explain(), of this table alone.
      def explained(table: String) =
        read(table).where("b = 7").queryExecution.explainString(SimpleMode)
      eventually(assert(explained(path).contains("adapting: the last ")))
      assert(!explained(auto()).contains("adapting: "))
    }
    assert(operations(path).count(_ == "ADAPT") == 1)
  }

  test("with adapt = record, or in a session that does not allow it, nothing is rewritten") {
    val recorded = auto("record")
    inBackground(ask(recorded))
    val quiet = auto()
    ask(quiet)
    Thread.sleep(3000)
    assert(!operations(recorded).contains("ADAPT") && !operations(quiet).contains("ADAPT"))
  }

  test("of several drivers one has the lease of a span of time") {
    val path = auto()
    val session = spark.asInstanceOf[SparkSession]
    new java.io.File(path, "_queries").mkdir()
    def lease = AdaptLease(session, log(path), minutes = 1000000)
    assert(lease.taken() && !lease.taken())
    // A span of another length is another one; older leases are removed.
    assert(AdaptLease(session, log(path), minutes = 1).taken())
    assert(new java.io.File(path, "_queries").list().count(_.startsWith("lease")) == 1)
  }
}
