package io.colocate.report

import io.colocate.report.ReasonKind.Decline

/** Why a robust table was not adapted to its queries. */
object AdaptReasons {

  final val Capability = "adaptation"

  sealed abstract private[report] class AdaptReason(name: String, template: String, meaning: String)
      extends ReasonCode(name, Capability, Decline, template, meaning)

  case object AdaptTooFewQueries
      extends AdaptReason("ADAPT_TOO_FEW_QUERIES",
        "{queries} queries with filters were run by this driver; at least {fewest} are needed",
        "Queries are kept in the driver's memory. Run some, or adapt in the session that runs them.")

  case object AdaptNoGain
      extends AdaptReason("ADAPT_NO_GAIN",
        "the queries skip all rows that a tree can let them skip",
        "There is nothing to gain, or the table is not cut: it has one leaf.")

  case object AdaptPrice
      extends AdaptReason("ADAPT_PRICE",
        "the {queries} queries since the rows were written would not have saved {cost} reads of any part;" +
          " at least {needed} of this kind would",
        "Rewriting a row costs as much as reading it so many times. With more queries of this kind it may pay;" +
          " a window holds at most eight times the write cost, or 60 if rewriting is cheap.")

  case object AdaptNotRepeated
      extends AdaptReason("ADAPT_NOT_REPEATED",
        "a tree for half of the queries would not have saved the other half enough",
        "Each query asks for something else, so that what helps those that were is no help for those to come.")

  case object AdaptSpace
      extends AdaptReason("ADAPT_SPACE",
        "older versions alone need {older} bytes of files that were rewritten; with {more} more they would need more than the table, {bytes}",
        "Run `vacuum()`: it removes the files of versions older than its retention, 7 days by default. Then adapt again, or adapt with a smaller budget.")

  case object AdaptAccount
      extends AdaptReason("ADAPT_ACCOUNT",
        "{rewritten} rows were rewritten before, which is more than queries have saved by it and the credit of three times the table",
        "What is asked changes faster than rewriting pays. It goes on when queries have saved more; an overwrite begins a new account.")

  case object AdaptReplicas
      extends AdaptReason("ADAPT_REPLICAS", "the table has copies of its rows under several trees",
        "Each query reads the copy that suits it best already. A table with the option `replicas` is not adapted.")

  case object AdaptColumnsChanged
      extends AdaptReason("ADAPT_COLUMNS_CHANGED",
        "the tree cuts {column}, which the table does not have any more, or has as another type",
        "An overwrite cuts the table by the columns that it has now.")

  case object AdaptKeys
      extends AdaptReason("ADAPT_KEYS",
        "of the last {joins} joins {others} were by {key} and not by the table's key {own}: by it all would have read" +
          " {regret} rows less, and {needed} are needed for a move to pay",
        "Where joins by two keys take turns the table stays with the one that it has. It moves when joins by the other" +
          " one prevail. If both stay, write the rows twice, as two tables.")

  case object AdaptFamily
      extends AdaptReason("ADAPT_FAMILY",
        "joins were by {key}, but the table shares the cuts of its key {own} with others, by the option {option}",
        "Moving one of these tables to another key would break the joins of all. An overwrite with another joinKey" +
          " and without the option moves it.")

  case object AdaptKeyCuts
      extends AdaptReason("ADAPT_KEY_CUTS",
        "joins were by {key}, but no tree by it can be built: {why}",
        "The key has one value, or the table's options do not fit. It stays under the tree that it has.")

  case object AdaptBusy
      extends AdaptReason("ADAPT_BUSY", "other writers changed the same files again and again",
        "Nothing was changed, and no rows were lost. Try again later.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(AdaptTooFewQueries, AdaptNoGain, AdaptPrice, AdaptNotRepeated,
    AdaptAccount, AdaptSpace, AdaptReplicas, AdaptColumnsChanged, AdaptKeys, AdaptFamily,
    AdaptKeyCuts, AdaptBusy)
}
