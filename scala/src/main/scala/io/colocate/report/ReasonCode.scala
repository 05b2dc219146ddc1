package io.colocate.report

/** What a reason is for. */
sealed abstract class ReasonKind(val name: String)
object ReasonKind {

  /** A fact that a removal relies on. */
  case object Fact extends ReasonKind("fact")

  /** The evidence that permitted a shuffle on fewer keys. */
  case object Evidence extends ReasonKind("evidence")

  /** Why Spark's own choice was kept. */
  case object Decline extends ReasonKind("decline")
}

/**
 * A stable name for a reason, used alike in explain(), in tests, in the log and in the
 * documentation (docs/reading-a-plan.md is generated from [[ReasonCodes.all]]).
 *
 * @param template the sentence, with {argument} where a value goes
 * @param meaning  what it tells the user, and what the user can do about it
 */
abstract class ReasonCode private[report] (
    val name: String,
    val capability: String,
    val kind: ReasonKind,
    val template: String,
    val meaning: String) {

  /** Names of older releases, each of a code that this one replaces. */
  def aliases: Seq[String] = Nil
}
