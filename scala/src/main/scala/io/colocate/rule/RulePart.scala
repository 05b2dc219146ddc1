package io.colocate.rule

/**
 * A part of a rule that is timed by a name of its own. If it fails, the rest of the rule goes on.
 *
 * @param does what it does, in a few words
 */
final case class RulePart private (name: String, does: String, switch: Switch)

object RulePart {

  val WholeQuery: RulePart =
    RulePart("whole-query", "the shuffles of a query and its subqueries are counted together",
      Switch.Exchange)

  val MultiwayPlacement: RulePart =
    RulePart("multiway-placement", "a multiway join broadcasts its inputs, or shuffles into cells",
      Switch.Multiway)

  val PruneFiles: RulePart =
    RulePart("prune-files", "files that cannot hold a row of the query are left out", Switch.Layout)

  val CountWithoutRewrites: RulePart =
    RulePart("count-without-rewrites", "the shuffles of the query without its multiway joins",
      Switch.All)

  val Explain: RulePart = RulePart("explain", "the text of explain()", Switch.Explain)

  val all: Seq[RulePart] =
    Seq(WholeQuery, MultiwayPlacement, PruneFiles, CountWithoutRewrites, Explain)
}
