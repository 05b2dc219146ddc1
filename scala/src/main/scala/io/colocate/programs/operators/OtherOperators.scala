package io.colocate.programs.operators

import io.colocate.programs.operators.Verdict._

/** Operators that the plan of a query does not have when it is analysed, and those of streams. */
private[operators] object OtherOperators {

  val rows: Seq[OperatorRow] = Seq(
    OperatorRow(
      "BroadcastExchangeExec ReusedExchangeExec ReusedSubqueryExec SubqueryExec" +
        " SubqueryBroadcastExec SubqueryAdaptiveBroadcastExec PlanLater GroupPartitionsExec",
      NotPlanned)("Made when exchanges and subqueries are planned."),
    OperatorRow("WholeStageCodegenExec InputAdapter ColumnarToRowExec RowToColumnarExec",
      NotPlanned)("Wraps operators for execution."),
    OperatorRow("AdaptiveSparkPlanExec AQEShuffleReadExec QueryStageExec SkewJoinChildWrapper",
      NotPlanned)("Made by adaptive execution."),
    OperatorRow("ExplainOnlySparkPlan", NotPlanned)("A command that is only explained."),
    OperatorRow("BinByExec ProjectedBroadcastValueSubqueryExec MapPartitionsExternalUDFExec" +
        " SortMergeAsOfJoinExec", Unknown)("New in Spark 4.3."),
    OperatorRow("MergeRowsExec", Unknown)("MERGE INTO a table of another format."),
    OperatorRow(
      "MicroBatchScanExec ContinuousScanExec RealTimeStreamScanExec StreamingRelationExec" +
        " WriteToContinuousDataSourceExec EventTimeWatermarkExec UpdateEventTimeColumnExec" +
        " StateStoreRestoreExec StateStoreSaveExec SessionWindowStateStoreRestoreExec" +
        " SessionWindowStateStoreSaveExec BaseStreamingDeduplicateExec StreamingGlobalLimitExec" +
        " StreamingLocalLimitExec FlatMapGroupsWithStateExec FlatMapGroupsInPandasWithStateExec" +
        " StreamingSymmetricHashJoinExec TransformWithStateExecBase ProjectAggregationBufferExec" +
        " StatefulStreamlineAggregateExec", Unknown)(
      "Streams: their state lies by its own keys from the first batch on."))
}
