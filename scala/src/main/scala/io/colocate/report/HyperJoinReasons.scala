package io.colocate.report

import io.colocate.report.ReasonKind._

/** Why robust tables are joined without a shuffle, or with one. */
object HyperJoinReasons {

  final val Capability = "hyperjoin"

  case object HyperJoin
      extends ReasonCode("HYPER_JOIN", Capability, Fact,
        "{groups} tasks join files of both tables; C_HyJ is {c}: {files} files of one table are read" +
          " {reads} times, and no shuffle moves {bytes}",
        "Both tables are cut by the join key, so each task reads a group of files of one table and " +
          "those of the other that overlap it. C_HyJ says how often these are read, by bytes.")

  case object JoinedFirst
      extends ReasonCode("JOINED_FIRST", Capability, Fact,
        "made before other joins of the query, which then shuffle about {bytes} in place of {stock}",
        "Inner joins may be made in any order. Two tables that are joined without a shuffle come first " +
          "where the order of the query would shuffle one of them, and what it was joined with again.")

  case object UnknownJoin
      extends ReasonCode("UNKNOWN_JOIN", Capability, Decline, "{join} joins are left to Spark",
        "What such a join returns for rows without a match is not known to be right here.")

  case object JoinHint
      extends ReasonCode("JOIN_HINT", Capability, Decline, "the query carries a hint: {hint}",
        "A hint says how Spark is to join; it is respected.")

  case object BroadcastJoin
      extends ReasonCode("BROADCAST_JOIN", Capability, Decline, "Spark broadcasts one side",
        "One side is smaller than spark.sql.autoBroadcastJoinThreshold, so there is no shuffle.")

  case object OneSideShuffled
      extends ReasonCode("ONE_SIDE_SHUFFLED", Capability, Fact,
        "{groups} tasks read {files} files of one table, a range of {key} each; only the other side" +
          " is shuffled, into these ranges, and no shuffle moves {bytes}",
        "One table is cut by the join key, so its files are read where they are needed, and the rows " +
          "of the other side come to them. Spark alone would shuffle both.")

  case object NotWorthShuffling
      extends ReasonCode("NOT_WORTH_SHUFFLING", Capability, Decline,
        "to shuffle one side into {groups} ranges of {key} would cost {cost}, Spark's own {stock}",
        "The files of the table lie in too few ranges of the join key that do not touch, or the other " +
          "side is laid out by the key already. Write the table with the option joinKey.")

  case object SkewedRanges
      extends ReasonCode("SKEWED_RANGES", Capability, Decline,
        "a finished shuffle into the ranges of a table has a task of {bytes}",
        "The keys of the other side lie in few ranges of the table, so Spark joins as it would alone, " +
          "and splits the skew.")

  case object UnrangedKey
      extends ReasonCode("UNRANGED_KEY", Capability, Decline,
        "the range of ({keys}) in each file is not known",
        "A key has to be a column of both tables, or a cast to a wider type, of a type with an " +
          "order and with statistics. Texts with a collation have none.")

  case object KeepsBothSides
      extends ReasonCode("KEEPS_BOTH_SIDES", Capability, Decline,
        "{join} joins need files cut at the same values, or sides without random expressions",
        "Rows without a match would come twice from a file that two tasks read. Write one table with " +
          "the option joinCuts naming the other.")

  case object OverlapTooWide
      extends ReasonCode("OVERLAP_TOO_WIDE", Capability, Decline,
        "C_HyJ would be {c} in {groups} groups: {cost} to read against {stock} for a shuffle",
        "The files overlap too widely in the join key, or too few tasks would have work. Write the " +
          "tables with the option joinKey, or the one with joinCuts naming the other.")

  case object ManyOverlaps
      extends ReasonCode("MANY_OVERLAPS", Capability, Decline,
        "more than {limit} pairs of files overlap in the join key",
        "The tables are not cut by the join key. Write them with the option joinKey.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(HyperJoin, JoinedFirst, UnknownJoin, JoinHint, BroadcastJoin,
    OneSideShuffled, NotWorthShuffling, SkewedRanges, UnrangedKey, KeepsBothSides, OverlapTooWide,
    ManyOverlaps)
}
