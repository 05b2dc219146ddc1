package io.colocate.report

import io.colocate.report.ReasonKind.Decline

/** Why the inputs of a program cannot be partitioned so that each operator finds its rows where they are. */
object ProgramReasons {

  final val Capability = "partitionings"

  sealed abstract class ProgramReason private[report] (
      name: String,
      template: String,
      meaning: String)
      extends ReasonCode(name, Capability, Decline, template, meaning)

  case object AllTuples
      extends ProgramReason("ALL_TUPLES", "it needs all rows in one task",
        "A total, a LIMIT, or a window without PARTITION BY. Where nothing above it needs rows by keys, it is" +
          " listed beside the answers, as what each task computes first is little.")

  case object TotalOrder
      extends ProgramReason("TOTAL_ORDER", "it needs all rows in the order of ({keys})",
        "ORDER BY sorts over all tasks, for which rows lie by ranges of its keys. At the end of a query it is" +
          " listed beside the answers.")

  case object CrossProduct
      extends ProgramReason("CROSS_PRODUCT", "each row of a side meets each row of the other",
        "A join without `=` between columns. It is possible if one side is small enough to be broadcast.")

  case object FieldLost
      extends ProgramReason("FIELD_LOST", "{key} is made here from other rows, or from no input",
        "A sum, a counter, a generated value: no field of an input says in advance where such a row belongs.")

  case object NullExtended
      extends ProgramReason("NULL_EXTENDED",
        "{key} is NULL in rows that had no match, wherever they lie",
        "Rows of an outer join without a match have NULL in the columns of the other side, and lie by the key of" +
          " their own. Group by the preserved side's key, or by COALESCE of both.")

  case object SelfJoinFields
      extends ProgramReason("SELF_JOIN_FIELDS", "{input} would have to lie by two fields at once",
        "An input has one layout, however often a program reads it. Store it twice, if it must be joined by two" +
          " fields.")

  case object NoCommonField
      extends ProgramReason("NO_COMMON_FIELD",
        "its fields, {fields}, are none of those of {others}",
        "Two operators need the same rows together by different fields. One that groups takes a function of its" +
          " fields too, if another operator names it; a join takes its own keys alone.")

  case object CycleChangesKey
      extends ProgramReason("CYCLE_CHANGES_KEY", "a turn of the loop changes {key}",
        "Rows of the next turn lie by what the last one made of the key. It must be handed through as it is.")

  case object PythonUnproven
      extends ProgramReason("PYTHON_UNPROVEN",
        "it is not proved that the function hands {key} through",
        "See colocate.explain_function, colocate.rows and colocate.grouped: they follow a column through Python.")

  case object AskedShuffle
      extends ProgramReason("ASKED_SHUFFLE", "the program itself asks for a shuffle here",
        "repartition(...), or a hint. Without it the rows would stay where they lie.")

  case object UnknownOperator
      extends ProgramReason("UNKNOWN_OPERATOR", "nothing is known of this operator",
        "An operator of a library, or of a streaming query.")

  val all: Seq[ReasonCode] = Seq(AllTuples, TotalOrder, CrossProduct, FieldLost, NullExtended,
    SelfJoinFields, NoCommonField, CycleChangesKey, PythonUnproven, AskedShuffle, UnknownOperator)
}
