package io.colocate.rule

import java.util.Locale

import scala.util.Try

import org.apache.commons.text.similarity.LevenshteinDistance
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.internal.SQLConf

/**
 * One configuration key: its name, what it means, what it accepts and its default. A value is read
 * when a query is planned, so a running session can change every key.
 *
 * @param accepts the accepted values, in words ("true or false")
 * @param parse   the value of a text, None if the text is not accepted
 */
final case class ConfEntry[T](
    key: String,
    default: T,
    meaning: String,
    accepts: String,
    since: String,
    aliases: Seq[String],
    parse: String => Option[T]) {

  /** The value in force. A text that is not accepted raises one sentence naming key and values. */
  def apply(conf: SQLConf): T = text(conf) match {
    case Some(text) =>
      parse(text.trim).getOrElse(throw new IllegalArgumentException(
          s"[COLOCATE_INVALID_CONF] $key is '$text'; accepted: $accepts (default: $default)."))
    case None => default
  }

  /** The text that the user set, under the key or one of its older names. */
  def text(conf: SQLConf): Option[String] =
    (key +: aliases).iterator.map(conf.getConfString(_, null)).find(_ != null)
}

/** Every configuration key of Colocate. docs/configuration.md is generated from [[entries]]. */
object ColocateConf {

  private val Prefix = "spark.colocate"
  private val YesNo = "true or false"

  private def boolean(name: String, default: Boolean, meaning: String): ConfEntry[Boolean] =
    ConfEntry(s"$Prefix.$name", default, meaning, YesNo, "0.1.0", Nil,
      _.toLowerCase(Locale.ROOT).toBooleanOption)

  private def choice(name: String, default: String, values: Seq[String], meaning: String) =
    ConfEntry[String](s"$Prefix.$name", default, meaning, values.mkString(", "), "0.1.0", Nil,
      text => Some(text.toLowerCase(Locale.ROOT)).filter(values.contains))

  private def number(name: String, default: Int, least: Int, meaning: String): ConfEntry[Int] =
    ConfEntry(s"$Prefix.$name", default, meaning, s"a whole number from $least", "0.1.0", Nil,
      text => text.toIntOption.filter(_ >= least))

  private def bytes(name: String, default: Long, meaning: String): ConfEntry[Long] =
    ConfEntry(s"$Prefix.$name", default, meaning, "a size above 0, such as 64m", "0.1.0", Nil,
      text => Try(JavaUtils.byteStringAsBytes(text)).toOption.filter(_ > 0))

  private def sizeOrNone(name: String, meaning: String, default: Long = 0L): ConfEntry[Long] =
    ConfEntry(s"$Prefix.$name", default, meaning, "a size such as 64m, or 0", "0.1.0", Nil,
      text => Try(JavaUtils.byteStringAsBytes(text)).toOption.filter(_ >= 0))

  private def factor(name: String, default: Double, meaning: String): ConfEntry[Double] =
    ConfEntry(s"$Prefix.$name", default, meaning, "a number from 1", "0.1.0", Nil,
      text => Try(text.toDouble).toOption.filter(_ >= 1))

  private def fraction(name: String, default: Double, meaning: String): ConfEntry[Double] =
    ConfEntry(s"$Prefix.$name", default, meaning, "a number above 0 and up to 1", "0.1.0", Nil,
      text => Try(text.toDouble).toOption.filter(x => x > 0 && x <= 1))

  val Enabled: ConfEntry[Boolean] =
    boolean("enabled", default = true, "Master switch. When false every plan is exactly Spark's.")

  val ExchangeEnabled: ConfEntry[Boolean] =
    boolean("exchange.enabled", default = true, "Switches the exchange planner alone.")

  val ExchangeMode: ConfEntry[String] = choice("exchange.mode", "conservative",
    Seq("off", "conservative", "aggressive"),
    "How much evidence a shuffle on fewer keys than Spark would take needs. `off`: never on fewer " +
      "keys (key orders and known partitionings are still used). `conservative`: only where sizes or " +
      "column statistics show that no partition grows too large. `aggressive`: wherever it is " +
      "correct.")

  val ExchangeMaxCandidates: ConfEntry[Int] = number("exchange.maxCandidates", 24, least = 1,
    "How many partitionings the search keeps for one edge of the plan.")

  val ExchangeMaxOperators: ConfEntry[Int] = number("exchange.maxOperators", 2000, least = 1,
    "A plan with more operators than this is left to Spark.")

  val ExchangeMinKeysPerPartition: ConfEntry[Int] = number("exchange.minKeysPerPartition", 128,
    least = 1,
    "Conservative mode: distinct values that a subset of the keys must have for each shuffle " +
      "partition, where an edge is too large to be accepted for its size.")

  val ExchangeMaxHotShare: ConfEntry[Double] = fraction("exchange.maxHotShare", 0.05,
    "Conservative mode: the share of rows that the most frequent value of a subset of the keys " +
      "may have, where an edge is too large to be accepted for its size.")

  val ExchangeGather: ConfEntry[Boolean] = boolean("exchange.gather", default = true,
    "Whether what adaptive execution reads as one partition, finished stages of less than " +
      "spark.sql.adaptive.coalescePartitions.minPartitionSize together, stays in one partition.")

  val PythonCheck: ConfEntry[Boolean] = boolean("python.check", default = false,
    "Whether what was proved or declared of Python functions, that they hand columns through, is held " +
      "against each value when they run. A value that differs fails the query with COLOCATE_CLAIM_VIOLATED, " +
      "which names file and line. Read when the function is given to Colocate.")

  val LayoutEnabled: ConfEntry[Boolean] = boolean("layout.enabled", default = true,
    "Lets scans of robust tables leave out files. When false they read all files of a version.")

  val LayoutSingleWriter: ConfEntry[Boolean] = boolean("layout.singleWriter", default = false,
    "Says that nobody else writes to a table at the same time. Lets tables be written on file " +
      "systems that cannot keep two writers apart, and lets a vacuum remove younger files.")

  val AdaptRecord: ConfEntry[Boolean] = boolean("adapt.record", default = true,
    "Whether what this session asks of robust tables is written beside those whose option `adapt` is " +
      "`record` or `auto`. When false it stays in the driver's memory.")

  val AdaptBackground: ConfEntry[Boolean] = boolean("adapt.background", default = false,
    "Whether this driver adapts robust tables to their queries by itself, those whose option `adapt` is " +
      "`auto` and that this session reads. One thread does it, in the scheduler pool colocate-adapt.")

  val AdaptMinutes: ConfEntry[Int] = number("adapt.minutes", 10, least = 1,
    "How many minutes there are at least between two times that a table is adapted in the background, by " +
      "whatever driver.")

  val HyperJoinMode: ConfEntry[String] = choice("hyperjoin.mode", "auto",
    Seq("auto", "force", "off"),
    "Whether robust tables are joined without a shuffle, or with one in place of two. `auto`: where " +
      "that costs less than what it saves. `force`: wherever it is correct, also in place of a " +
      "broadcast. `off`: never.")

  val HyperJoinGroupBytes: ConfEntry[Long] = bytes("hyperjoin.groupBytes", 64L << 20,
    "How much of one table a task may hash, in memory, of the columns that are wanted and the rows that " +
      "filters most likely leave; less where an executor has little memory for each of its tasks.")

  val HyperJoinShuffleCost: ConfEntry[Double] = factor("hyperjoin.shuffleCost", 3.0,
    "How many times as much a byte costs that is read, shuffled and joined as one that is only read " +
      "and joined.")

  val MultiwayMode: ConfEntry[String] = choice("multiway.mode", "auto",
    Seq("auto", "hint", "force", "off"),
    "Whether inner joins that form a cycle are done at once. `hint`: where a query has the hint " +
      "MULTIWAY. `auto`: also where the statistics of analysed tables, or the files of others, show that " +
      "joins of two inputs each make many more rows than they read. `force`: wherever it is correct. `off`: never, not even " +
      "with the hint.")

  val MultiwayMaxFooters: ConfEntry[Int] = number("multiway.maxFooters", 100, least = 0,
    "How many Parquet files there may be of inputs of a cycle that have no statistics, for the mode auto to " +
      "look into their footers while a query is planned, also for explain(). It runs no job. 0 looks at no " +
      "files, nor at the logs of robust tables.")

  val MultiwayDictionaryBytes: ConfEntry[Long] = sizeOrNone("multiway.dictionaryBytes",
    "How much of the dictionaries in these files may be read, where the footers alone do not show that a " +
      "cycle is to be joined at once. 0 reads none.", 16L << 20)

  val MultiwayCountBytes: ConfEntry[Long] = sizeOrNone("multiway.countBytes",
    "How much the inputs of a cycle may have, by their estimated size, that have no statistics and whose " +
      "keys the mode auto counts. These are jobs of Spark that run while a query is planned, also for " +
      "explain(). 0 counts nothing.")

  val MultiwayBroadcastBytes: ConfEntry[Long] = bytes("multiway.broadcastBytes", 128L << 20,
    "How much a multiway join may broadcast: its inputs but the largest, by their estimated size. " +
      "Beyond it all inputs are shuffled into cells. An input of unknown size is broadcast only " +
      "where a query has the hint or the mode is force.")

  val MultiwayKeepBytes: ConfEntry[Long] = sizeOrNone("multiway.keepBytes",
    "How much of what multiway joins broadcast is kept for later queries over the same files, with what " +
      "executors have built of it. 0 keeps nothing.")

  val MultiwayHeavyValues: ConfEntry[Boolean] = boolean("multiway.heavyValues", default = true,
    "Whether a multiway join that is done in cells looks at a sample of its inputs first, and gives " +
      "values that many rows have cells of their own.")

  val Dependencies: ConfEntry[Declarations] = ConfEntry(s"$Prefix.dependencies", Declarations.None,
    "Keys and dependencies of files and other tables without properties, which `colocate.declare` keeps " +
      "here for the session. A table of a catalog keeps its own in its property " +
      s"`${Declarations.Property}`.",
    s"a JSON object of tables, each with ${DeclarationJson.Accepted}", "0.1.0", Nil,
    DeclarationJson.readAll)

  val DependenciesCheck: ConfEntry[Boolean] = boolean("dependencies.check", default = false,
    "Reads the tables of whose rows something is declared before a query relies on it, and fails the query " +
      "with COLOCATE_DEPENDENCY_VIOLATED if it is not true. What is declared without `rely` is used too " +
      "then.")

  val ChangesEnabled: ConfEntry[Boolean] = boolean("changes.enabled", default = true,
    "Lets operators that give several rows for each row be compiled without an array of these rows.")

  val ExplainEnabled: ConfEntry[Boolean] = boolean("explain.enabled", default = true,
    "Writes Colocate's section of explain() and of the SQL page, and remembers finished queries for " +
      "colocate_last_plan(). When false the section is gone from the next query on.")

  val ExplainHistory: ConfEntry[Int] = number("explain.history", 100, least = 0,
    "How many finished queries the driver remembers for colocate_last_plan().")

  val RethrowErrors: ConfEntry[Boolean] = boolean("testing.rethrowErrors", default = false,
    "For tests: an error inside a rule fails the query instead of leaving Spark's plan.")

  val StrictReasons: ConfEntry[Boolean] = boolean("testing.strictReasons", default = false,
    "For tests: a capability that declines without a reason fails the query.")

  val CheckRules: ConfEntry[Boolean] = boolean("testing.checkRules", default = false,
    "For tests: the result of each rule is checked, and what is wrong with it is an error of the rule.")

  /** Every key, in the order of the documentation. */
  val entries: Seq[ConfEntry[_]] = Seq(Enabled, ExchangeEnabled, ExchangeMode,
    ExchangeMaxCandidates, ExchangeMaxOperators, ExchangeMinKeysPerPartition, ExchangeMaxHotShare,
    ExchangeGather, Dependencies, DependenciesCheck, PythonCheck, LayoutEnabled, LayoutSingleWriter,
    AdaptRecord, AdaptBackground, AdaptMinutes, HyperJoinMode, HyperJoinGroupBytes,
    HyperJoinShuffleCost, MultiwayMode, MultiwayMaxFooters, MultiwayDictionaryBytes,
    MultiwayCountBytes, MultiwayBroadcastBytes, MultiwayKeepBytes, MultiwayHeavyValues,
    ChangesEnabled, ExplainEnabled, ExplainHistory, RethrowErrors, StrictReasons, CheckRules)

  /** Raises an error for the first value that is not accepted, except in capabilities that are off. */
  def validate(conf: SQLConf): Unit = {
    val off = Seq(ExchangeEnabled, LayoutEnabled, ChangesEnabled).filterNot(_.apply(conf))
      .map(_.key.stripSuffix("enabled"))
    entries.filterNot(entry => off.exists(entry.key.startsWith)).foreach(_.apply(conf))
  }

  /** Keys with our prefix that do not exist, each with the one that was most likely meant. */
  def misspelt(conf: SQLConf): Seq[(String, String)] = {
    val known = entries.flatMap(entry => entry.key +: entry.aliases)
    val distance = LevenshteinDistance.getDefaultInstance
    conf.getAllConfs.keys.filter(_.startsWith(s"$Prefix.")).toSeq.diff(known).sorted
      .map(key => key -> known.minBy(distance(key, _).intValue))
  }
}
