package io.colocate.report

/** Whether a capability acted at a place. */
sealed trait Outcome

object Outcome {

  /** Colocate does here what Spark alone would not do. */
  case object Taken extends Outcome

  /** Spark's own choice is kept, for a reason. */
  case object Kept extends Outcome

  /** A fact about the place; there was nothing to choose. */
  case object Noted extends Outcome
}

/**
 * What a capability did at one place of a query, or why it left that place to Spark. Every capability
 * records findings; explain(), colocate_why_not and the HTML page print them without knowing any capability
 * by name.
 *
 * @param capability as [[ReasonCode]] names it
 * @param what       the kind of the finding in a word or two: "removed", "no hyper-join"
 * @param place      an operator, a join or a table: "SortMergeJoin", "Scan /data/t"
 * @param about      the detail of the place: keys, a join condition, a filter
 * @param text       the line that explain() prints, without the reasons
 * @param reasons    the first is the cause; a finding of the outcome Kept has at least one
 * @param spared     the additional shuffles of Spark alone at this place, if no plan shows them
 * @param parts      findings on parts of the place, which explain() prints below it
 */
final case class Finding private (
    capability: String,
    what: String,
    place: String,
    about: Seq[String],
    text: String,
    outcome: Outcome,
    reasons: Seq[Reason],
    spared: Shuffles,
    parts: Seq[Finding]) {

  def taken: Boolean = outcome == Outcome.Taken

  def kept: Boolean = outcome == Outcome.Kept

  /** The reason for keeping Spark's own choice, or the first reason for another one. */
  def reason: Reason = reasons.head

  def because(more: Seq[Reason]): Finding = copy(reasons = reasons ++ more)

  /** The finding with a reason added after the first one; it replaces an earlier reason of the same code. */
  def also(reason: Reason): Finding = {
    val others = reasons.filterNot(_.code == reason.code)
    copy(reasons = others.head +: reason +: others.tail)
  }

  /** The finding, then those on its parts. */
  def withParts: Seq[Finding] = this +: parts.flatMap(_.withParts)
}

object Finding {

  def taken(
      capability: String,
      what: String,
      place: String,
      about: Seq[String],
      text: String,
      reasons: Seq[Reason],
      spared: Shuffles = Shuffles.None): Finding =
    Finding(capability, what, place, about, text, Outcome.Taken, reasons, spared, Nil)

  /** A decline: it cannot be made without a reason. */
  def kept(
      capability: String,
      what: String,
      place: String,
      about: Seq[String],
      text: String,
      reason: Reason): Finding =
    Finding(capability, what, place, about, text, Outcome.Kept, Seq(reason), Shuffles.None, Nil)

  /** A rule failed, so Spark's own choice is kept. */
  def failed(capability: String, place: String, rule: String, error: Throwable): Finding =
    kept(capability, "failed", place, Nil, s"failed: $place", InternalError(rule, error))

  def noted(
      capability: String,
      what: String,
      place: String,
      text: String,
      parts: Seq[Finding] = Nil): Finding =
    Finding(capability, what, place, Nil, text, Outcome.Noted, Nil, Shuffles.None, parts)
}
