package io.colocate.report

/** What a reason speaks for. */
sealed abstract class ReasonKind(val name: String)
object ReasonKind {

  /** A fact that a removal rests on. */
  case object Fact extends ReasonKind("fact")

  /** The evidence that let a shuffle on fewer keys pass. */
  case object Evidence extends ReasonKind("evidence")

  /** Why Spark's own choice was kept. */
  case object Decline extends ReasonKind("decline")
}

/**
 * A stable name for a reason, used alike in explain(), in tests, in the log and in the
 * documentation (docs/reading-a-plan.md is generated from [[ReasonCode.all]]).
 *
 * @param template the sentence, with {argument} where a value goes
 * @param meaning  what it tells the user, and what could be done about it
 */
abstract class ReasonCode private[report] (
    val name: String,
    val capability: String,
    val kind: ReasonKind,
    val template: String,
    val meaning: String)

object ReasonCode {
  import ReasonKind._

  private val Ex = "exchange"

  case object SubsetKeys
      extends ReasonCode("SUBSET_KEYS", Ex, Fact,
        "rows hashed on ({keys}) are already together for ({required})",
        "Rows that are equal on all required keys are equal on some of them, so a layout on a subset " +
          "of the keys serves the operator.")

  case object KeyOrder
      extends ReasonCode("KEY_ORDER", Ex, Fact, "one key order ({keys}) serves both sides",
        "Hashing (a, b) and (b, a) gives different partitions; the planner chose one order for all.")

  case object AlreadyTogether
      extends ReasonCode("ALREADY_TOGETHER", Ex, Fact, "the rows already lie hashed on ({keys})",
        "An operator below was given just the layout that this one needs.")

  case object FunctionOfKeys
      extends ReasonCode("FUNCTION_OF_KEYS", Ex, Fact,
        "({keys}) are functions of ({required}), so equal rows are together",
        "INTERSECT and EXCEPT, `<=>` and joins of unlike number types hash an expression of the key. " +
          "Rows that are equal on the key are equal on the expression.")

  case object EqualColumns
      extends ReasonCode("EQUAL_COLUMNS", Ex, Fact, "{left} equals {right} in every row here",
        "A filter or join makes two columns equal, so a layout on one is a layout on the other.")

  case object FixedLayout
      extends ReasonCode("FIXED_LAYOUT", Ex, Fact,
        "the input already is partitioned by ({keys}) into {partitions}",
        "A bucketed table or an earlier repartition already placed the rows.")

  case object OnePartition
      extends ReasonCode("ONE_PARTITION", Ex, Fact,
        "one task reads all {bytes} that the stages below have written",
        "Adaptive execution reads finished stages that are small together as one partition. What is " +
          "computed from it stays in it, where all rows are together, and is not shuffled again.")

  case object SmallEdge
      extends ReasonCode("SMALL_EDGE", Ex, Evidence,
        "the largest partition is estimated at {bytes} ({limit} allowed)",
        "It stays below the skew threshold (spark.sql.adaptive.skewJoin." +
          "skewedPartitionThresholdInBytes). Without a histogram keys are taken to be equally " +
          "frequent; adaptive execution withdraws the layout where it sees skew below a join.")

  case object SmallEdgeAssumed
      extends ReasonCode("SMALL_EDGE_ASSUMED", Ex, Evidence,
        "the largest partition is estimated at {bytes} ({limit} allowed), if joins are key to " +
          "foreign key",
        "As SMALL_EDGE, where a join below has keys without statistics. ANALYZE TABLE ... FOR ALL " +
          "COLUMNS replaces the assumption.")

  case object ManyKeys
      extends ReasonCode("MANY_KEYS", Ex, Evidence,
        "({keys}) has {distinct} distinct values, none is known to hold more than {share} of the " +
          "rows", "Column statistics show that the subset of keys spreads the rows well.")

  case object SameRisk
      extends ReasonCode("SAME_RISK", Ex, Evidence,
        "Spark alone would hash these rows on ({keys}) too",
        "Spark's own plan shuffles the same rows on the same keys further up, so nothing is risked " +
          "that Spark would not risk.")

  case object ConstantKeys
      extends ReasonCode("CONSTANT_KEYS", Ex, Evidence, "the keys left out ({keys}) hold one value",
        "A filter fixes the remaining keys, so leaving them out does not change the spread.")

  case object AggressiveMode
      extends ReasonCode("AGGRESSIVE_MODE", Ex, Evidence,
        "spark.colocate.exchange.mode is aggressive", "The user asked for every correct removal.")

  case object HintGiven
      extends ReasonCode("HINT_GIVEN", Ex, Evidence, "the query carries the hint {hint}",
        "A hint in the query sets the mode for this query.")

  case object SwitchedOff
      extends ReasonCode("SWITCHED_OFF", Ex, Decline, "{key} is {value}",
        "The capability is switched off.")

  case object SubsetOff
      extends ReasonCode("SUBSET_OFF", Ex, Decline,
        "({keys}) of ({required}) would do, but spark.colocate.exchange.mode is off",
        "Set the mode to conservative or aggressive, or give the hint.")

  case object AllKeysRequired
      extends ReasonCode("ALL_KEYS_REQUIRED", Ex, Decline,
        "({keys}) of ({required}) would do, but {key} is true",
        "The user set one of Spark's requireAllClusterKeys options; it is respected.")

  case object UnknownSize
      extends ReasonCode("UNKNOWN_SIZE", Ex, Decline,
        "({keys}) of ({required}) would do, but neither size nor distinct values are known",
        "Run ANALYZE TABLE ... COMPUTE STATISTICS FOR COLUMNS, or use aggressive mode or the hint.")

  case object TooFewKeys
      extends ReasonCode("TOO_FEW_KEYS", Ex, Decline,
        "({keys}) has {distinct} distinct values for {bytes}; {needed} are needed",
        "Hashing on so few values would leave most tasks idle.")

  case object HotValue
      extends ReasonCode("HOT_VALUE", Ex, Decline,
        "one value of ({keys}) holds {share} of the rows ({bytes})",
        "One task would get too large a share.")

  case object SkewSeen
      extends ReasonCode("SKEW_SEEN", Ex, Decline,
        "a finished stage hashed on ({keys}) has a partition of {bytes}",
        "The layout turned out skewed at run time, so operators above it shuffle as Spark would.")

  case object NotCheaper
      extends ReasonCode("NOT_CHEAPER", Ex, Decline,
        "the best layout found costs as much as moving {cost}, Spark's own {stock}",
        "Another assignment exists but would not move fewer bytes.")

  case object SharedWithSubquery
      extends ReasonCode("SHARED_WITH_SUBQUERY", Ex, Decline,
        "the query with its subqueries would take {ours}; as Spark plans them it takes {stock}",
        "Equal shuffles of a query and its subqueries run once. Other layouts would have ended that.")

  case object PlanTooLarge
      extends ReasonCode("PLAN_TOO_LARGE", Ex, Decline,
        "the plan has {operators} operators, {limit} are searched",
        "Planning time is bounded; see spark.colocate.exchange.maxOperators.")

  case object Streaming
      extends ReasonCode("STREAMING", Ex, Decline, "a streaming plan is left alone",
        "State stores depend on Spark's own partitioning.")

  case object NothingToDo
      extends ReasonCode("NOTHING_TO_DO", Ex, Decline,
        "fewer than two shuffles could share a layout",
        "The query has no pair of shuffles that could become one.")

  case object InternalError
      extends ReasonCode("INTERNAL_ERROR", Ex, Decline, "{rule} failed: {error}",
        "A rule of Colocate failed. Spark's plan was kept. Please report it.")

  private val Hyper = "hyperjoin"

  case object HyperJoin
      extends ReasonCode("HYPER_JOIN", Hyper, Fact,
        "{groups} tasks join files of both tables; C_HyJ is {c}: {files} files of one table are read" +
          " {reads} times, and no shuffle moves {bytes}",
        "Both tables are cut by the join key, so each task reads a group of files of one table and " +
          "those of the other that overlap it. C_HyJ says how often these are read, by bytes.")

  case object JoinedFirst
      extends ReasonCode("JOINED_FIRST", Hyper, Fact,
        "made before other joins of the query, which then shuffle about {bytes} in place of {stock}",
        "Inner joins may be made in any order. Two tables that are joined without a shuffle come first " +
          "where the order of the query would shuffle one of them, and what it was joined with again.")

  case object UnknownJoin
      extends ReasonCode("UNKNOWN_JOIN", Hyper, Decline, "{join} joins are left to Spark",
        "What such a join returns for rows without a match is not known to be right here.")

  case object JoinHint
      extends ReasonCode("JOIN_HINT", Hyper, Decline, "the query carries a hint: {hint}",
        "A hint says how Spark is to join; it is respected.")

  case object BroadcastJoin
      extends ReasonCode("BROADCAST_JOIN", Hyper, Decline, "Spark broadcasts one side",
        "One side is smaller than spark.sql.autoBroadcastJoinThreshold, so there is no shuffle.")

  case object OneSideShuffled
      extends ReasonCode("ONE_SIDE_SHUFFLED", Hyper, Fact,
        "{groups} tasks read {files} files of one table, a range of {key} each; only the other side" +
          " is shuffled, into these ranges, and no shuffle moves {bytes}",
        "One table is cut by the join key, so its files are read where they are needed, and the rows " +
          "of the other side come to them. Spark alone would shuffle both.")

  case object NotWorthShuffling
      extends ReasonCode("NOT_WORTH_SHUFFLING", Hyper, Decline,
        "to shuffle one side into {groups} ranges of {key} would cost {cost}, Spark's own {stock}",
        "The files of the table lie in too few ranges of the join key that do not touch, or the other " +
          "side is laid out by the key already. Write the table with the option joinKey.")

  case object SkewedRanges
      extends ReasonCode("SKEWED_RANGES", Hyper, Decline,
        "a finished shuffle into the ranges of a table has a task of {bytes}",
        "The keys of the other side lie in few ranges of the table, so Spark joins as it would alone, " +
          "and splits the skew.")

  case object UnrangedKey
      extends ReasonCode("UNRANGED_KEY", Hyper, Decline,
        "the range of ({keys}) in each file is not known",
        "A key has to be a column of both tables, or a cast to a wider type, of a type with an " +
          "order and with statistics. Texts with a collation have none.")

  case object KeepsBothSides
      extends ReasonCode("KEEPS_BOTH_SIDES", Hyper, Decline,
        "{join} joins need files cut at the same values, or sides without random expressions",
        "Rows without a match would come twice from a file that two tasks read. Write one table with " +
          "the option joinCuts naming the other.")

  case object OverlapTooWide
      extends ReasonCode("OVERLAP_TOO_WIDE", Hyper, Decline,
        "C_HyJ would be {c} in {groups} groups: {cost} to read against {stock} for a shuffle",
        "The files overlap too widely in the join key, or too few tasks would have work. Write the " +
          "tables with the option joinKey, or the one with joinCuts naming the other.")

  case object ManyOverlaps
      extends ReasonCode("MANY_OVERLAPS", Hyper, Decline,
        "more than {limit} pairs of files overlap in the join key",
        "The tables are not cut by the join key. Write them with the option joinKey.")

  case object HyperJoinError
      extends ReasonCode("HYPER_JOIN_ERROR", Hyper, Decline, "hyper-join failed: {error}",
        "A rule of Colocate failed. Spark's plan was kept. Please report it.")

  private val Multi = "multiway"

  case object MultiwayJoin
      extends ReasonCode("MULTIWAY_JOIN", Multi, Fact,
        "{inputs} inputs are joined on {variables} variables at once, as {why}; inputs of n rows can" +
          " give at most n^{exponent}",
        "The joins form a cycle, so joins of two inputs each may make many rows that a later one drops. " +
          "The multiway join binds one variable after the other, at the price of the shortest list.")

  case object Acyclic
      extends ReasonCode("ACYCLIC", Multi, Decline, "the joins form no cycle",
        "Joins without a cycle need no rows that are dropped later on, in a good order.")

  case object HintedJoin
      extends ReasonCode("HINTED_JOIN", Multi, Decline,
        "a join of the cycle carries a hint: {hint}",
        "A hint says how Spark is to join; it is respected.")

  case object ManyInputs
      extends ReasonCode("MANY_INPUTS", Multi, Decline,
        "{inputs} inputs are joined, {limit} are looked at",
        "Planning time is bounded. Where the join is asked for, more inputs are looked at: give the hint " +
          "MULTIWAY, or set the mode to force.")

  case object UniqueKey
      extends ReasonCode("UNIQUE_KEY", Multi, Decline, "({key}) is unique in {input}",
        "A join along a unique key makes no more rows than it reads. Set the mode to force, or give the " +
          "hint MULTIWAY, to join at once all the same.")

  case object UnknownDegrees
      extends ReasonCode("UNKNOWN_DEGREES", Multi, Decline,
        "the rows of {input} and the distinct values of its keys are not known",
        "Statistics are missing, and the files do not tell enough, or a filter keeps an unknown share of " +
          "the rows. Run ANALYZE TABLE ... COMPUTE STATISTICS FOR ALL COLUMNS, give the hint MULTIWAY, set " +
          "the mode to force, let more files be looked into: see spark.colocate.multiway.maxFooters and " +
          "spark.colocate.multiway.dictionaryBytes, or let keys be counted: see " +
          "spark.colocate.multiway.countBytes.")

  case object SmallIntermediate
      extends ReasonCode("SMALL_INTERMEDIATE", Multi, Decline,
        "joins of two inputs each make about {rows} rows of the inputs' {inputs}",
        "Spark's own joins are good enough where the intermediate results stay small.")

  case object MayFailEarly
      extends ReasonCode("MAY_FAIL_EARLY", Multi, Decline,
        "{condition} may fail, and would be evaluated on rows that {input} drops",
        "Spark evaluates the condition after this input has been joined; joined at once, the cycle comes " +
          "first. Use try_divide, try_add and the like, which give NULL in place of an error.")

  case object HyperCube
      extends ReasonCode("HYPERCUBE", Multi, Fact,
        "{bytes} would be broadcast, {limit} are allowed; so the inputs are shuffled into {cells} cells," +
          " {sides}, and a row goes to up to {copies} of them",
        "A row goes to every cell that agrees with the variables it has, so that rows which join meet " +
          "in one of them. See spark.colocate.multiway.broadcastBytes.")

  case object CheckedAbove
      extends ReasonCode("CHECKED_ABOVE", Multi, Fact,
        "whether {input} has a row is looked up after the join, as it has {bytes} and the largest input {largest}",
        "An EXISTS or NOT EXISTS over variables of the cycle is part of the multiway join, unless it reads " +
          "more than any input: to bring its rows to each task would cost more than it saves.")

  case object MultiwayError
      extends ReasonCode("MULTIWAY_ERROR", Multi, Decline, "the multiway join failed: {error}",
        "A rule of Colocate failed. Spark's plan was kept. Please report it.")

  /** Every code, in the order of the documentation; lazy, as one code may be touched first. */
  lazy val all: Seq[ReasonCode] = Seq(SubsetKeys, KeyOrder, AlreadyTogether, FunctionOfKeys,
    EqualColumns, FixedLayout, OnePartition, SmallEdge, SmallEdgeAssumed, ManyKeys, SameRisk,
    ConstantKeys, AggressiveMode, HintGiven, SwitchedOff, SubsetOff, AllKeysRequired, UnknownSize,
    TooFewKeys, HotValue, SkewSeen, NotCheaper, SharedWithSubquery, PlanTooLarge, Streaming,
    NothingToDo, InternalError, HyperJoin, JoinedFirst, UnknownJoin, JoinHint, BroadcastJoin,
    OneSideShuffled, NotWorthShuffling, SkewedRanges, UnrangedKey, KeepsBothSides, OverlapTooWide,
    ManyOverlaps, HyperJoinError, MultiwayJoin, Acyclic, HintedJoin, ManyInputs, UniqueKey,
    UnknownDegrees, SmallIntermediate, MayFailEarly, HyperCube, CheckedAbove,
    MultiwayError) ++ TableReasons.all
}
