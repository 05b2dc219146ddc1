package io.colocate.report

import io.colocate.report.ReasonKind._

/** Why a shuffle was removed, or was kept. */
object ExchangeReasons {

  final val Capability = "exchange"

  case object SubsetKeys
      extends ReasonCode("SUBSET_KEYS", Capability, Fact,
        "rows hashed on ({keys}) are already together for ({required})",
        "Rows that are equal on all required keys are equal on some of them, so a partitioning on a subset " +
          "of the keys serves the operator.")

  case object KeyOrder
      extends ReasonCode("KEY_ORDER", Capability, Fact, "one key order ({keys}) serves both sides",
        "Hashing (a, b) and (b, a) gives different partitions; the planner chose one order for all.")

  case object AlreadyTogether
      extends ReasonCode("ALREADY_TOGETHER", Capability, Fact,
        "the rows already lie hashed on ({keys})",
        "An operator below was given just the partitioning that this one needs.")

  case object FunctionOfKeys
      extends ReasonCode("FUNCTION_OF_KEYS", Capability, Fact,
        "({keys}) are functions of ({required}), so equal rows are together",
        "INTERSECT and EXCEPT, `<=>` and joins of unlike number types hash an expression of the key. " +
          "Rows that are equal on the key are equal on the expression.")

  case object EqualColumns
      extends ReasonCode("EQUAL_COLUMNS", Capability, Fact,
        "{left} equals {right} in every row here",
        "A filter or join makes two columns equal, so a partitioning on one is a partitioning on the other.")

  case object OuterKey
      extends ReasonCode("OUTER_KEY", Capability, Fact,
        "{key} is the key of the one side or the other, and rows lie where it is hashed",
        "A row of an outer join without a match lies where its own key is hashed, and a pair where " +
          "both are. COALESCE of the two keys, and the column of USING, is hashed to the same place.")

  case object DeterminedKeys
      extends ReasonCode("DETERMINED_KEYS", Capability, Fact,
        "rows that agree on ({columns}) agree on ({keys}), on which they are hashed",
        "The groups of an aggregate have one row for each value of their keys, so these determine the " +
          "other columns, and a computed column is determined by those that it is computed from.")

  case object DeclaredKeys
      extends ReasonCode("DECLARED_KEYS", Capability, Fact,
        "rows that agree on ({columns}) agree on ({keys}), on which they are hashed: {declared}",
        "As DETERMINED_KEYS, where it is declared for a table, and not proved by the query. If it is not " +
          "true of the table, rows may be missing or come twice: colocate.check_dependencies(df) checks it.")

  case object NormalisedKey
      extends ReasonCode("NORMALISED_KEY", Capability, Fact,
        "a hash of {key} is a hash of what the join compares in its place",
        "A join compares 0.0 in the place of -0.0, and one NaN for all. Spark's hash of a " +
          "floating-point column already takes them for equal.")

  case object ExpandedKeys
      extends ReasonCode("EXPANDED_KEYS", Capability, Fact,
        "all rows that are made of one row have its ({keys}) and lie where it lies",
        "Grouping sets and several DISTINCT aggregates make several rows of each. A column that all of " +
          "them keep is hashed to the same place; ROLLUP and CUBE keep none.")

  case object MergedPartitions
      extends ReasonCode("MERGED_PARTITIONS", Capability, Fact,
        "coalesce has merged whole partitions that were hashed on ({keys})",
        "What was together in one partition is together in the merged one.")

  case object PartitionId
      extends ReasonCode("PARTITION_ID", Capability, Fact,
        "{columns} is the number of the partition that the rows are in",
        "spark_partition_id() numbers the partitions, so the rows of one number are together until they " +
          "are shuffled. The inputs of a union each count from 0.")

  case object CarriedKey
      extends ReasonCode("CARRIED_KEY", Capability, Fact,
        "rows that agree on {key} agree on {column}, by {declared}",
        "A key of a stored table determines its other columns. Rows of one version of the table that " +
          "are joined or grouped by the key are joined and grouped by such a column too, so they may " +
          "stay where it has placed them.")

  case object DeterminedByKeys
      extends ReasonCode("DETERMINED_BY_KEYS", Capability, Evidence,
        "rows that agree on ({keys}) agree on the keys left out",
        "Where some keys determine the others, hashing these alone spreads the rows as well.")

  case object KeptByPython
      extends ReasonCode("KEPT_BY_PYTHON", Capability, Fact,
        "{function} ({site}) hands ({columns}) through unchanged",
        "Reading the Python function has proved, or `colocate.keeps` has declared, that columns of its " +
          "output are columns of its input. Its rows lie by them as those do that it was given.")

  case object BesidePython
      extends ReasonCode("BESIDE_PYTHON", Capability, Fact,
        "{functions} adds columns to rows that are hashed on ({keys})",
        "A scalar Python function gives each row of a partition a value, and leaves the row and its " +
          "other columns where they are.")

  case object FixedLayout
      extends ReasonCode("FIXED_LAYOUT", Capability, Fact,
        "the input already is partitioned by ({keys}) into {partitions}",
        "A bucketed table or an earlier repartition already placed the rows.")

  case object OnePartition
      extends ReasonCode("ONE_PARTITION", Capability, Fact,
        "one task reads all {bytes} that the stages below have written",
        "Adaptive execution reads finished stages that are small together as one partition. What is " +
          "computed from it stays in it, where all rows are together, and is not shuffled again.")

  case object SmallEdge
      extends ReasonCode("SMALL_EDGE", Capability, Evidence,
        "the largest partition is estimated at {bytes} ({limit} allowed)",
        "It stays below the skew threshold (spark.sql.adaptive.skewJoin." +
          "skewedPartitionThresholdInBytes). Without a histogram keys are taken to be equally " +
          "frequent; adaptive execution withdraws the partitioning where it sees skew below a join.")

  case object SmallEdgeAssumed
      extends ReasonCode("SMALL_EDGE_ASSUMED", Capability, Evidence,
        "the largest partition is estimated at {bytes} ({limit} allowed), if joins are key to " +
          "foreign key",
        "As SMALL_EDGE, where a join below has keys without statistics. ANALYZE TABLE ... FOR ALL " +
          "COLUMNS replaces the assumption.")

  case object ManyKeys
      extends ReasonCode("MANY_KEYS", Capability, Evidence,
        "({keys}) has {distinct} distinct values, none is known to hold more than {share} of the " +
          "rows", "Column statistics show that the subset of keys spreads the rows well.")

  case object SameRisk
      extends ReasonCode("SAME_RISK", Capability, Evidence,
        "Spark alone would hash these rows on ({keys}) too",
        "Spark's own plan shuffles the same rows on the same keys further up, so nothing is risked " +
          "that Spark would not risk.")

  case object ConstantKeys
      extends ReasonCode("CONSTANT_KEYS", Capability, Evidence,
        "the keys left out ({keys}) hold one value",
        "A filter fixes the remaining keys, so leaving them out does not change the spread.")

  case object AggressiveMode
      extends ReasonCode("AGGRESSIVE_MODE", Capability, Evidence,
        "spark.colocate.exchange.mode is aggressive", "The user asked for every correct removal.")

  case object HintGiven
      extends ReasonCode("HINT_GIVEN", Capability, Evidence, "the query carries the hint {hint}",
        "A hint in the query sets the mode for this query.")

  case object SwitchedOff
      extends ReasonCode("SWITCHED_OFF", Capability, Decline, "{key} is {value}",
        "The capability is switched off.")

  case object SubsetOff
      extends ReasonCode("SUBSET_OFF", Capability, Decline,
        "({keys}) of ({required}) would do, but spark.colocate.exchange.mode is off",
        "Set the mode to conservative or aggressive, or give the hint.")

  case object AllKeysRequired
      extends ReasonCode("ALL_KEYS_REQUIRED", Capability, Decline,
        "({keys}) of ({required}) would do, but {key} is true",
        "The user set one of Spark's requireAllClusterKeys options; it is respected.")

  case object UnknownSize
      extends ReasonCode("UNKNOWN_SIZE", Capability, Decline,
        "({keys}) of ({required}) would do, but neither size nor distinct values are known",
        "Run ANALYZE TABLE ... COMPUTE STATISTICS FOR COLUMNS, or use aggressive mode or the hint.")

  case object DeclaredWithoutRely
      extends ReasonCode("DECLARED_WITHOUT_RELY", Capability, Decline,
        "({columns}) would determine where the rows lie, but it is declared without RELY: {declared}",
        "What is declared for a table is used only where somebody vouches for it: declare it with " +
          "rely=True, or RELY in the table's definition, or set spark.colocate.dependencies.check to true.")

  case object DeclarationsUnreadable
      extends ReasonCode("DECLARATIONS_UNREADABLE", Capability, Decline, "{error}",
        "The property was written by hand. colocate.declare writes it; ALTER TABLE ... UNSET TBLPROPERTIES " +
          "removes it.")

  case object TooFewKeys
      extends ReasonCode("TOO_FEW_KEYS", Capability, Decline,
        "({keys}) has {distinct} distinct values for {bytes}; {needed} are needed",
        "Hashing on so few values would leave most tasks idle.")

  case object HotValue
      extends ReasonCode("HOT_VALUE", Capability, Decline,
        "one value of ({keys}) holds {share} of the rows ({bytes})",
        "One task would get too large a share.")

  case object SkewSeen
      extends ReasonCode("SKEW_SEEN", Capability, Decline,
        "a finished stage hashed on ({keys}) has a partition of {bytes}",
        "The partitioning turned out skewed at run time, so operators above it shuffle as Spark would.")

  case object NotCheaper
      extends ReasonCode("NOT_CHEAPER", Capability, Decline,
        "the best partitioning found costs as much as moving {cost}, Spark's own {stock}",
        "Another assignment exists but would not move fewer bytes.")

  case object SharedWithSubquery
      extends ReasonCode("SHARED_WITH_SUBQUERY", Capability, Decline,
        "the query with its subqueries would take {ours}; as Spark plans them it takes {stock}",
        "Equal shuffles of a query and its subqueries run once. Other partitionings would have ended that.")

  case object PlanTooLarge
      extends ReasonCode("PLAN_TOO_LARGE", Capability, Decline,
        "the plan has {operators} operators, {limit} are searched",
        "Planning time is bounded; see spark.colocate.exchange.maxOperators.")

  case object Streaming
      extends ReasonCode("STREAMING", Capability, Decline, "a streaming plan is left alone",
        "State stores depend on Spark's own partitioning.")

  case object NothingToDo
      extends ReasonCode("NOTHING_TO_DO", Capability, Decline,
        "fewer than two shuffles could share a partitioning",
        "The query has no pair of shuffles that could become one.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(SubsetKeys, KeyOrder, AlreadyTogether, FunctionOfKeys,
    EqualColumns, OuterKey, DeterminedKeys, DeclaredKeys, NormalisedKey, ExpandedKeys,
    MergedPartitions, PartitionId, CarriedKey, KeptByPython, BesidePython, FixedLayout,
    OnePartition, SmallEdge, SmallEdgeAssumed, DeterminedByKeys, ManyKeys, SameRisk, ConstantKeys,
    AggressiveMode, HintGiven, SwitchedOff, SubsetOff, AllKeysRequired, UnknownSize,
    DeclaredWithoutRely, DeclarationsUnreadable, TooFewKeys, HotValue, SkewSeen, NotCheaper,
    SharedWithSubquery, PlanTooLarge, Streaming, NothingToDo)
}
