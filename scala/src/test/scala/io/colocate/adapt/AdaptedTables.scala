package io.colocate.adapt

import io.colocate.tables.commit.TableLog
import io.colocate.tables.sql.RacedTables

/** Tables whose queries ask for what they are not cut by. */
private[adapt] trait AdaptedTables extends RacedTables {

  /** Without regard to what older versions need. */
  protected val eager: AdaptOptions = AdaptOptions(budget = 1, writeCost = Some(1), space = 100)

  protected def adapt(log: TableLog): AdaptReport = new Adapt(spark, log, eager)()

  protected def adapted(path: String, options: AdaptOptions = eager): AdaptReport =
    inQuery(new Adapt(spark, log(path), options)())

  /** Adapts it, which must find something to do. */
  protected def moved(path: String): Unit = {
    val report = adapted(path)
    assert(report.version.nonEmpty, report)
  }

  /** [[numbers]] up to 1600 in three versions, with small files. */
  protected def scattered(): String = {
    val path = create(numbers(1400), "maxLeafRows" -> "200")
    write(numbers(100, from = 1400), path, "append")
    write(numbers(100, from = 1500), path, "append")
    ask(path)
    path
  }

  protected def ask(path: String): Unit =
    (0 until 10).foreach(i => read(path).where(s"b >= ${i * 97} AND b < ${i * 97 + 15}").collect())

  /** By what an adapt after [[ask]] has not cut it by. */
  protected def askByOther(path: String): Unit = (0 until 12).foreach(i =>
    read(path).where(s"a >= ${i * 130} AND a < ${i * 130 + 25}").collect())
}
