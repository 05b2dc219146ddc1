package io.colocate.programs.operators

import io.colocate.programs.operators.Verdict._

/** Operators that work row by row, and leave each where it is. */
private[operators] object RowOperators {

  val rows: Seq[OperatorRow] = Seq(OperatorRow("ProjectExec", Free)(
      "Computes columns. A key is followed to the expression that makes it.", "Map, Cast"),
    OperatorRow("FilterExec", Free)("Drops rows. `a = b` makes both columns one key.",
      "Filter, FilterMap"),
    OperatorRow("ExpandExec", Free)(
      "Makes several rows of one. A column is followed that all of them keep: none of ROLLUP or CUBE.",
      "FlatMap"),
    OperatorRow("GenerateExec", Free)(
      "explode and the like: the columns of the row are followed, the generated ones are not.",
      "FlatMap"), OperatorRow("SampleExec", Free)("Draws rows.", "Filter"),
    OperatorRow("UnionExec", Free)(
      "A key is followed into every branch: branches of one input need the same field, other inputs one each.",
      "Chain, ChainFirst, MergeOrdered"),
    OperatorRow("CoalesceExec", Free)("coalesce(n): rows stay together, in fewer tasks."),
    OperatorRow("LocalLimitExec", Free)("The first rows of each task.", ""),
    OperatorRow("CollectMetricsExec", Free)("Counts while rows pass.", "Inspect"),
    OperatorRow("DebugExec", Free)("Counts while rows pass.", "Inspect"),
    OperatorRow("ArrowEvalPythonExec BatchEvalPythonExec", Free)(
      "Scalar Python functions. Their arguments are followed, and their results if it is proved what they are.",
      "Map"),
    OperatorRow("ArrowEvalPythonUDTFExec BatchEvalPythonUDTFExec", Free)(
      "Python table functions, row by row. The columns of the row are followed, the function's are not.",
      "FlatMap"),
    OperatorRow("MapInArrowExec MapInPandasExec", Free)(
      "Python over batches. A column is followed if it is proved that the function hands it through.",
      "Map, FilterMap, FlatMap"),
    OperatorRow("MapElementsExec MapPartitionsExec DeserializeToObjectExec SerializeFromObjectExec",
      Free)("Scala functions over objects; no column is followed through them.", "Map, FlatMap"),
    OperatorRow("AppendColumnsExec AppendColumnsWithObjectExec", Free)(
      "A key computed by a Scala function, beside the row.", "Map"),
    OperatorRow("MapPartitionsInRWithArrowExec", Free)("R over batches; no column is followed.",
      "Map"),
    OperatorRow("WriteFilesExec DataWritingCommandExec", Free)("Writes rows where they are.",
      "ForEach"))
}
