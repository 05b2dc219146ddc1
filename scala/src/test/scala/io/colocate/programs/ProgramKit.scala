package io.colocate.programs

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.DataFrame

import io.colocate.report.ReasonCode
import io.colocate.testing.{ColocateTestSession, TestConf}

/** Programs whose inputs are analysed, and not read. Joins are not broadcast unless a hint says so. */
trait ProgramKit extends AnyFunSuite with ColocateTestSession {

  protected def analysed(queries: String*): Partitionings = analysedFrames(queries.map(sql))

  protected def analysedFrames(
      queries: => Seq[DataFrame],
      state: => Seq[DataFrame] = Nil): Partitionings = withConf(TestConf.noBroadcast: _*) {
    val plans = new SparkPlans(spark)
    def planned(frames: Seq[DataFrame]) =
      frames.map(frame => plans.of(frame.queryExecution.analyzed))
    new PossiblePartitionings(plans).of(planned(queries),
      planned(state).map(_.collectLeaves().head))
  }

  /** Each agreement with its positions, as `t.a=u.x` where both must lie by these. */
  protected def answers(found: Partitionings): Set[Set[String]] =
    found.agreements.map(_.positions.map(_.fields.map { case (input, field) =>
    s"${input.name.split('.').last}.${field.text}"
  }.toSeq.sorted.mkString("=")).toSet).toSet

  /** @param expected the positions of each agreement, each as in [[answers]] */
  protected def possible(found: Partitionings)(expected: Set[String]*): Unit = {
    assert(found.conflicts.isEmpty)
    assert(answers(found) == expected.toSet): Unit
  }

  protected def impossible(found: Partitionings)(codes: ReasonCode*): Unit = {
    assert(found.conflicts.map(_.reason.code).toSet == codes.toSet, found.conflicts)
    assert(found.agreements.isEmpty && found.anyhow.isEmpty): Unit
  }
}
