package io.colocate.programs.operators

import io.colocate.programs.operators.Verdict._

/** Operators without a child. */
private[operators] object Scans {

  val rows: Seq[OperatorRow] = Seq(
    OperatorRow("FileSourceScanExec BatchScanExec RowDataSourceScanExec", Input)(
      "Reads a table or files. All scans of one are one input.", "Source"),
    OperatorRow("HiveTableScanExec", Input)(
      "Reads a table in a format of Hive's, whose buckets Spark does not see: it lies by a field once it is cached" +
        " so, or stored in another format.", "Source"),
    OperatorRow("InMemoryTableScanExec", Input)(
      "Reads a cached frame, which is an input of its own.", "Persist"),
    OperatorRow("RDDScanExec ExternalRDDScanExec", Input)("Reads an RDD.", "ExternalInput"),
    OperatorRow("LocalTableScanExec RangeExec OneRowRelationExec EmptyRelationExec", Input)(
      "Rows that the query holds itself, or makes.", "SourceIter, SingletonSource"),
    OperatorRow("UnionLoopExec", Loop)(
      "A recursive query. A row must keep in each turn the field that an operator needs it by. Spark itself" +
        " shuffles in each turn all the same.", "CycleSource, CycleSink, DeferTick"),
    OperatorRow(
      "CommandResultExec ExecutedCommandExec V2CommandExec MultiResultExec PythonWorkerLogsExec",
      NoRows)("A command, and the rows that it made."))
}
