package io.colocate.tables.sql

import java.io.File
import java.nio.file.{Files, Path => NioPath}
import java.util.concurrent.CountDownLatch

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.commons.io.FileUtils
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.streaming.Trigger

import io.colocate.adapt.{Adapt, AdaptOptions}
import io.colocate.tables.commit.{Kill, KilledLocalStore, LogUpkeep, TableLog}
import io.colocate.tables.format.{CommitInfo, Isolation, LogNames}
import io.colocate.tables.operations.{Compact, TableWriter}
import io.colocate.tables.queries.{AskedQueries, AskedQuery, QueryFiles}
import io.colocate.tables.write.{RowSource => RowsToWrite}
import io.colocate.testing.{EveryOther, Nightly, Outcome}

/**
 * Each operation on real rows, with its process killed at every step of the commit and at some of the
 * steps before it; at all of them with
 *
 * {{{
 *   make kill-commits
 * }}}
 *
 * See also CrashSuite, for the log alone, and VacuumSuite.
 */
class KilledCommitSuite extends TableSession with EveryOther {

  // Small tables in few tasks: each operation runs many times.
  override protected def sessionConf: Map[String, String] = super.sessionConf ++ Kill.conf ++
    Map("spark.colocate.layout.singleWriter" -> "true", "spark.sql.shuffle.partitions" -> "2",
      "spark.sql.files.minPartitionNum" -> "1")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    // Every task that is killed would log its trace.
    spark.sparkContext.setLogLevel("OFF")
  }

  /**
   * @param makesTable whether there is no table before it
   * @param begin      what the session needs; nobody is killed there
   * @param again      whether it may run again when it is done, and does nothing then
   */
  private class Operation(
      val name: String,
      rowsBefore: => DataFrame,
      rowsAfter: => DataFrame,
      val prepare: String => Unit = write(numbers(60), _, "error", "maxLeafRows" -> "20"),
      val makesTable: Boolean = false,
      val begin: String => Unit = _ => (),
      val again: Boolean = false)(val run: String => Unit) {
    lazy val before: Outcome = Outcome(rowsBefore.collect().toSeq)
    lazy val after: Outcome = Outcome(rowsAfter.collect().toSeq)

    /** The same one, done in another way. */
    def by(other: String => Unit): Operation =
      new Operation(name, rowsBefore, rowsAfter, prepare, makesTable, begin, again)(other)
  }

  private def more = numbers(20, from = 60)

  private val create =
    new Operation("first save", numbers(0), numbers(60), prepare = _ => (), makesTable = true)(
      write(numbers(60), _, "error", "maxLeafRows" -> "20"))

  private val append =
    new Operation("append", numbers(60), numbers(80))(write(more, _, "append"))

  private val appendWithCheckpoint = new Operation("append that writes a checkpoint", numbers(60),
    numbers(80), prepare = nineVersions)({ path =>
    write(more, path, "append")
    awaitUpkeep()
  })

  /** The process may be killed while it writes the checkpoint, which no commit waits for. */
  private def awaitUpkeep(): Unit = {
    val done = new CountDownLatch(1)
    LogUpkeep.background.execute(() => done.countDown())
    done.await()
  }

  private val mergeSchema = new Operation("append with mergeSchema", numbers(60),
    numbers(60).selectExpr("*", "CAST(NULL AS INT) AS d").union(more.selectExpr("*", "1 AS d")))(
    write(more.selectExpr("*", "1 AS d"), _, "append", "mergeSchema" -> "true"))

  private val overwrite = new Operation("overwrite", numbers(60), numbers(30, from = 500))(
    write(numbers(30, from = 500), _, "overwrite"))

  private val replaceWhere =
    new Operation("replaceWhere", numbers(60), numbers(10).union(numbers(40, from = 20)))(
      write(numbers(10), _, "overwrite", "replaceWhere" -> "a < 20"))

  private val compact = new Operation("compact", numbers(100), numbers(100), prepare = scattered)(
    write(numbers(0), _, "append", "operation" -> "compact"))

  private val adapt =
    new Operation("adapt", numbers(100), numbers(100), prepare = scattered, begin = asked)(path =>
      SQLExecution.withNewExecutionId(numbers(0).queryExecution)(new Adapt(spark,
        singleWriter(path), AdaptOptions(budget = 1, writeCost = Some(1), space = 100))()))

  /** Queries for what the table is not cut by; they count for each copy of it. */
  private lazy val queries: Seq[AskedQuery] = {
    val path = fresh()
    scattered(path)
    (0 until 10).foreach(i => read(path).where(s"b >= ${i * 97} AND b < ${i * 97 + 15}").collect())
    AskedQueries.inMemory(log(path).path)
  }

  private def asked(path: String): Unit = queries.foreach(query =>
    AskedQueries.remember(log(path).path, query.copy(time = System.currentTimeMillis())))

  private val truncate =
    new Operation("TRUNCATE TABLE", numbers(60), numbers(0), begin = named)(path =>
      sql(s"TRUNCATE TABLE ${name(path)}"))

  private val addColumns = new Operation("ALTER TABLE ADD COLUMNS", numbers(60),
    numbers(60).selectExpr("*", "CAST(NULL AS STRING) AS d"), begin = named)(path =>
    sql(s"ALTER TABLE ${name(path)} ADD COLUMNS (d STRING)"))

  private val stream = new Operation("batch of a stream", numbers(60),
    numbers(60).union(spark.range(100, 110).selectExpr("id", "NULL", "NULL", "NULL")),
    again = true)(runStream)

  private val Grouped =
    "SELECT a % 7 AS g, count(*) AS n, max(b) AS most FROM killed_source GROUP BY a % 7"

  private val refresh =
    new Operation("refresh of a view", groups(numbers(60)), groups(numbers(80)), prepare = viewed,
      again = true)(path => sql(s"CALL colocate.refresh('$path')").collect())

  private def groups(of: DataFrame) =
    of.groupBy((of("a") % 7).as("g")).agg("a" -> "count", "b" -> "max")

  /** A view at this path, and then more rows in its source. */
  private def viewed(path: String): Unit = {
    sql("CREATE TABLE killed_source (a LONG, b LONG, c INT, s STRING) USING colocate")
    numbers(60).write.insertInto("killed_source")
    sql(
      s"CREATE MATERIALIZED VIEW killed_view USING colocate TBLPROPERTIES (maxLeafRows = '3') AS $Grouped")
    val made = sql("SELECT * FROM colocate_table_path('killed_view')").head().getString(0)
    // The file system that kills writes no checksums beside its files.
    FileUtils.copyDirectory(folder(made).toFile, folder(path).toFile,
      (file: File) => !file.getName.endsWith(".crc"))
    more.write.insertInto("killed_source")
  }

  /** Version 9; a checkpoint is written with version 10. */
  private def nineVersions(path: String): Unit = {
    append.prepare(path)
    val log = singleWriter(path)
    (0L until 9L).foreach(log.commit(_, Seq(CommitInfo("TEST")), Isolation.Append))
  }

  private def singleWriter(path: String): TableLog =
    TableLog.open(new Path(path), spark.sessionState.newHadoopConf(), singleWriter = true)

  private def scattered(path: String): Unit = {
    append.prepare(path)
    write(more, path, "append")
    write(numbers(20, from = 80), path, "append")
  }

  private def name(path: String): String = new Path(path).getName.replace('-', '_')

  private def named(path: String): Unit =
    sql(s"CREATE TABLE ${name(path)} USING colocate LOCATION '$path'")

  private val inputs = mutable.Map.empty[String, MemoryStream[Long]]

  private def runStream(path: String): Unit = {
    val input = inputs.getOrElseUpdate(path, newInput())
    input.toDF().selectExpr("value AS a").writeStream.format("colocate")
      .option("checkpointLocation", s"${folder(path)}-checkpoint")
      .trigger(Trigger.AvailableNow()).start(path).awaitTermination()
  }

  private def newInput(): MemoryStream[Long] = {
    val session = spark
    import session.implicits._
    val input = MemoryStream[Long](session)
    input.addData(100L until 110L)
    input
  }

  private def folder(path: String): NioPath = NioPath.of(new Path(path).toUri.getPath)

  /** The same operations with the log as it is on a local disk, which does not go through Hadoop. */
  private val onLocalDisk: Seq[Operation] = {
    def rows(of: DataFrame) = RowsToWrite.of(spark, of.queryExecution)
    def writer(log: TableLog) = new TableWriter(spark, log)
    Seq(append.by(local(writer(_).append(rows(more), Map.empty))),
      overwrite.by(local(log =>
          writer(log).overwrite(log.snapshot(), rows(numbers(30, from = 500)), Map.empty))),
      compact.by(local(log => new Compact(spark, log)(Map.empty))))
  }

  /** As part of a query, which is what Spark writes files in. */
  private def local(operation: TableLog => Unit)(path: String): Unit =
    SQLExecution.withNewExecutionId(numbers(0).queryExecution)(operation(localLog(path)))

  private def localLog(path: String): TableLog =
    new TableLog(new Path(path), new KilledLocalStore(folder(path).resolve(LogNames.Folder)))

  private val onDisk = Seq(append, mergeSchema, overwrite, appendWithCheckpoint, replaceWhere,
    compact, stream, truncate, addColumns, create)

  for ((operation, i) <- onDisk.zipWithIndex)
    test(s"a log that is renamed into place: ${operation.name}", Nightly.turn(i, every = 3): _*) {
      killedAtEveryStep(operation, "killed")
    }

  test(s"a log that is renamed into place: ${adapt.name}") {
    killedAtEveryStep(adapt, "killed")
  }

  for ((operation, i) <- Seq(overwrite, create, append).zipWithIndex)
    test(s"a log in an object store: ${operation.name}", Nightly.turn(i, every = 3): _*) {
      killedAtEveryStep(operation, "killedstore")
    }

  // Of a commit without data files nothing is left: an object is there as a whole, or not.
  test(s"a log in an object store: ${truncate.name}") {
    killedAtEveryStep(truncate, "killedstore", leaves = false)
  }

  for ((operation, i) <- onLocalDisk.zipWithIndex)
    test(s"a log that is linked into place: ${operation.name}", Nightly.turn(i, every = 3): _*) {
      killedAtEveryStep(operation, "killed")
    }

  test(s"a log that is renamed into place: ${refresh.name}") {
    killedAtEveryStep(refresh, "killed")
  }

  /** @param left whether there were files that no version names */
  private case class End(done: Boolean, left: Boolean)

  private def killedAtEveryStep(
      operation: Operation,
      scheme: String,
      leaves: Boolean = true): Unit = {
    val before = s"$scheme://${fresh()}"
    operation.prepare(before)
    val steps = stepsOf(operation, before)
    val chosen = choose(steps)
    info(s"killed at ${chosen.length} of ${steps.length} steps")
    val ends =
      chosen.flatMap(at => withClue(s"${steps(at)}, step $at: ")(end(operation, before, at)))
    // Once it is done it stays done, and some died before that, some after.
    assert(ends.map(_.done) == ends.map(_.done).sorted, steps)
    assert(ends.map(_.done).distinct == Seq(false, true), steps)
    assert(ends.exists(_.left) == leaves)
  }

  private def stepsOf(operation: Operation, before: String): IndexedSeq[String] = {
    val path = copyOf(before)
    operation.begin(path)
    val steps = Kill.steps(spark.sparkContext)(operation.run(path))
    holds(operation.after, path)
    steps
  }

  /** All steps from the last one of a data file, and a sample of those up to it, or all. */
  private def choose(steps: IndexedSeq[String]): Seq[Int] = {
    val commit = steps.lastIndexWhere(_.endsWith(".parquet")).max(0)
    new Random(42).shuffle((0 until commit).toList).take(Sampled).sorted ++
      (commit until steps.length)
  }

  private val Sampled = Nightly.count(night = Int.MaxValue, day = 2)

  /** What comes of an operation that dies at a step; none where it does not get there. */
  private def end(operation: Operation, before: String, at: Int): Option[End] = {
    val path = copyOf(before)
    operation.begin(path)
    val version = latest(path)
    val pinned = Option.when(!operation.makesTable)(planned(path))
    val died = Kill(spark.sparkContext, at)(operation.run(path))
    Kill.revive(spark.sparkContext, log(path).path)
    val done = latest(path) > version
    pinned.foreach(holds(operation.before, _))
    if (done) holds(operation.after, path)
    else if (!operation.makesTable) holds(operation.before, path)
    val left = (filesIn(path) -- namedIn(path)).nonEmpty
    if (!done || operation.again) operation.run(path)
    assert(latest(path) == version + 1)
    vacuum(path)
    assert(filesIn(path) == log(path).snapshot().files.map(_.path).toSet)
    holds(operation.after, path)
    Option.when(died)(End(done, left))
  }

  private def holds(expected: Outcome, path: String): Unit = holds(expected, read(path))

  private def holds(expected: Outcome, found: DataFrame): Unit = {
    val different = Outcome.difference(expected, Outcome(found.collect().toSeq))
    assert(different.isEmpty, different.mkString)
  }

  private def latest(path: String): Long =
    if (log(path).exists) version(path) else TableLog.NoVersion

  private def copyOf(path: String): String = {
    val copy = fresh()
    val from: File = folder(path).toFile
    if (from.exists) FileUtils.copyDirectory(from, new File(copy))
    s"${new Path(path).toUri.getScheme}://$copy"
  }

  private def vacuum(path: String): Unit = {
    // Versions and files are then older than now.
    Thread.sleep(20)
    write(numbers(0), path, "append", "operation" -> "vacuum", "retentionHours" -> "0")
  }

  /** All files below a table but those of its log and the accounts of its adaptation. */
  private def filesIn(path: String): Set[String] =
    if (!Files.exists(folder(path))) Set.empty
    else {
      val walk = Files.walk(folder(path))
      try
        walk.iterator.asScala.filter(Files.isRegularFile(_)).map(
          folder(path).relativize(_).toString)
          .filterNot(file => isOfLog(file) || isAccount(file)).toSet
      finally walk.close()
    }

  private def isOfLog(file: String): Boolean =
    file == s"${LogNames.Folder}/${LogNames.LastCheckpoint}" ||
      file.matches(s"${LogNames.Folder}/\\d+\\.(json|checkpoint\\.json\\.gz)")

  private def isAccount(file: String): Boolean =
    file.matches(s"${QueryFiles.Folder}/baseline-\\d+\\.json\\.gz")

  /** The files that some version names. */
  private def namedIn(path: String): Set[String] =
    (0L to latest(path)).flatMap(log(path).snapshot(_).files.map(_.path)).toSet
}
