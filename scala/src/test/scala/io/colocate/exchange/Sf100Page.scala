package io.colocate.exchange

import io.colocate.exchange.memory.Narrowed
import io.colocate.exchange.partitioning.HashPartitionings
import io.colocate.report.{Bytes, ExchangeReasons, PlanReport, Reason, ReasonCode}

/**
 * A query planned without Colocate and with it.
 *
 * @param reports  of the main query and its subqueries
 * @param narrowed where rows lie on fewer keys than an operator asks for
 * @param withKeys the same where the keys of the tables are declared
 */
final case class Sf100Plans(
    name: String,
    shufflesWithout: Int,
    shufflesWith: Int,
    reports: Seq[PlanReport],
    narrowed: Seq[Narrowed],
    said: (Int, Int),
    withKeys: Option[Sf100Plans] = None) {

  def bytesWithout: Double = reports.map(_.stock.bytes).sum
  def bytesWith: Double = reports.map(_.ours.bytes).sum
}

/** The page docs/sf100.md. */
object Sf100Page {

  /** Declines that speak of a subset of the keys. */
  private val refusals: Set[ReasonCode] =
    Set(ExchangeReasons.UnknownSize, ExchangeReasons.TooFewKeys, ExchangeReasons.HotValue,
      ExchangeReasons.SubsetOff, ExchangeReasons.AllKeysRequired)

  def apply(plans: Seq[Sf100Plans]): String = Seq("# TPC-DS at scale factor 100",
    "Written by `make golden`; do not edit. The queries of Spark's plan-stability suites, planned with\n" +
      "the statistics of scale factor 100 that those suites carry; nothing was run. Adaptive execution is\n" +
      "off, 200 shuffle partitions, the default mode. Bytes are what the planner estimates that the\n" +
      "shuffles move.", total(plans), "## Queries that changed",
    table(Seq("query", "shuffles", "bytes"), changed(plans)),
    "## Queries that change further where the keys of the tables are declared",
    table(Seq("query", "shuffles", "with declared keys"), furtherChanged(plans)),
    "## Partitionings on fewer keys that were accepted",
    table(Seq("query", "operator", "asks for", "hashed on", "evidence"), accepted(plans)),
    "## Partitionings on fewer keys that were refused",
    table(Seq("query", "operator", "asks for", "reason"), refused(plans))).mkString("", "\n\n",
    "\n")

  private def total(plans: Seq[Sf100Plans]): String = {
    val without = plans.map(_.shufflesWithout).sum
    val withUs = plans.map(_.shufflesWith).sum
    val largest = plans.maxBy(_.bytesWithout)
    val rest = plans.filterNot(_ eq largest)
    s"${plans.size} queries: $without shuffles by Spark alone, $withUs with Colocate; " +
      s"${bytes(plans.map(_.bytesWithout).sum)} and ${bytes(plans.map(_.bytesWith).sum)}.\n" +
      s"Where the primary and unique keys of all tables are declared, ${plans.flatMap(_.withKeys)
          .map(_.shufflesWith).sum} shuffles with Colocate.\n" +
      s"Of these, the 99 queries of version 1.4 (of 14, 23, 24 and 39 both parts): " +
      s"${counts(plans.filter(_.name.startsWith("tpcds/")))}.\n" +
      s"Without ${largest.name}, which moves the most: ${bytes(rest.map(_.bytesWithout).sum)} and " +
      s"${bytes(rest.map(_.bytesWith).sum)}."
  }

  private def counts(plans: Seq[Sf100Plans]): String =
    s"${plans.map(_.shufflesWithout).sum} by Spark alone, ${plans.map(_.shufflesWith).sum} with " +
      s"Colocate, ${plans.flatMap(_.withKeys).map(_.shufflesWith).sum} with declared keys"

  private def changed(plans: Seq[Sf100Plans]): Seq[Seq[String]] =
    plans.filter(_.reports.exists(_.changed)).map { p =>
      Seq(p.name, s"${p.shufflesWithout} → ${p.shufflesWith}",
        s"${bytes(p.bytesWithout)} → ${bytes(p.bytesWith)}")
    }

  private def furtherChanged(plans: Seq[Sf100Plans]): Seq[Seq[String]] = for {
    p <- plans
    keyed <- p.withKeys if keyed.shufflesWith != p.shufflesWith
  } yield Seq(p.name, s"${p.shufflesWithout} → ${p.shufflesWith}", s"${keyed.shufflesWith}")

  private def accepted(plans: Seq[Sf100Plans]): Seq[Seq[String]] = for {
    p <- plans
    narrowed <- p.narrowed
  } yield Seq(p.name, narrowed.operator, list(HashPartitionings.names(narrowed.required)),
    list(HashPartitionings.names(narrowed.keys)), said(narrowed.evidence))

  private def refused(plans: Seq[Sf100Plans]): Seq[Seq[String]] = for {
    p <- plans
    decline <- p.reports.flatMap(_.kept)
    if refusals(decline.reason.code)
  } yield Seq(p.name, decline.place, list(decline.about), said(decline.reason))

  private def table(head: Seq[String], rows: Seq[Seq[String]]): String =
    if (rows.isEmpty) "None."
    else
      (head +: head.map(_ => "---") +: rows.distinct)
        .map(_.map(_.replace("|", "\\|")).mkString("| ", " | ", " |")).mkString("\n")

  private def said(reason: Reason): String =
    s"${reason.code.name}: ${reason.sentence}".replaceAll("#\\d+L?", "")

  private def list(keys: Seq[String]): String = keys.map(_.replaceAll("#\\d+L?", "")).mkString(", ")

  private def bytes(n: Double): String = Bytes.text(n)
}
