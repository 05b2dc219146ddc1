package io.colocate.programs.operators

import io.colocate.programs.operators.Verdict._

/** Operators that need rows together. */
private[operators] object KeyedOperators {

  val rows: Seq[OperatorRow] = Seq(
    OperatorRow("HashAggregateExec ObjectHashAggregateExec SortAggregateExec", Free, SameKeys,
      OneTask)(
      "Groups: what each task computes first is free, merging needs the grouping keys, or any of them;" +
        " without keys one task.", "FoldKeyed, ReduceKeyed, Fold, Reduce, Unique"),
    OperatorRow("ArrowAggregatePythonExec", SameKeys, OneTask)(
      "Aggregates of Python: the grouping keys, or one task.", "FoldKeyed, Fold"),
    OperatorRow("WindowExec ArrowWindowPythonExec", SameKeys, OneTask)(
      "The keys of PARTITION BY, or any of them; without it one task.",
      "FoldKeyed, Enumerate, Scan"),
    OperatorRow("WindowGroupLimitExec", Free, SameKeys, OneTask)(
      "The first rows of each window, once in each task and once for each key.", "FoldKeyed"),
    OperatorRow("SortMergeJoinExec ShuffledHashJoinExec", SameKeys)(
      "Both sides by the same keys of `=`, any of them, in one order. An input on both sides needs one field" +
        " that serves as both.", "Join, JoinHalf, AntiJoin, Difference"),
    OperatorRow("BroadcastHashJoinExec", Replicated)(
      "One side is copied to all tasks, and may lie anyhow; the other's rows stay.",
      "Join, AntiJoin, CrossSingleton"),
    OperatorRow("BroadcastNestedLoopJoinExec", Replicated)(
      "As above, without `=`. If the copied side keeps rows without a match, no column is followed.",
      "CrossProduct, CrossSingleton"),
    OperatorRow("CartesianProductExec", CrossProduct)("Each row meets all of the other side.",
      "CrossProduct"),
    OperatorRow("MapGroupsExec FlatMapGroupsInRExec FlatMapGroupsInRWithArrowExec", SameKeys)(
      "Scala or R over groups: the keys, or any of them; no column is followed.", "FoldKeyed"),
    OperatorRow("FlatMapGroupsInArrowExec FlatMapGroupsInPandasExec", SameKeys, OneTask)(
      "Python over groups: the keys, or any of them.", "FoldKeyed"),
    OperatorRow("CoGroupExec", SameKeys)("Scala over the groups of two sides, as a join.", "Join"),
    OperatorRow("FlatMapCoGroupsInArrowExec FlatMapCoGroupsInPandasExec", SameKeys, OneTask)(
      "Python over the groups of two sides, as a join.", "Join"),
    OperatorRow("SortExec", Free, TotalOrder)(
      "Within a task it is free; ORDER BY needs ranges of its keys.", "Sort"),
    OperatorRow("GlobalLimitExec CollectLimitExec CollectTailExec", OneTask)(
      "The first rows of all tasks, or the last.", "Enumerate"),
    OperatorRow("TakeOrderedAndProjectExec", OneTask)("The first rows of each task, then of those.",
      "Sort, Enumerate"),
    OperatorRow("ShuffleExchangeExec", Shuffle)("repartition(...), or a hint.", "Network"),
    OperatorRow("SparkScriptTransformationExec HiveScriptTransformationExec", Free)(
      "TRANSFORM: a program's rows; no column is followed.", "FlatMap"),
    OperatorRow("AttachDistributedSequenceExec", Free)(
      "Numbers rows over all tasks, as pandas on Spark does: it counts those of each task first.",
      "Enumerate"),
    OperatorRow("UpdatingSessionsExec MergingSessionsExec", SameKeys, OneTask)(
      "session_window: the keys beside the window, or any of them.", "FoldKeyed"))
}
