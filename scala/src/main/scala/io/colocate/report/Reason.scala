package io.colocate.report

/**
 * Why something was done or declined: a code that never changes, and the arguments of this case.
 *
 * @param args name and value of each argument, in the order of the sentence
 */
final case class Reason(code: ReasonCode, args: Seq[(String, String)]) {

  /** One readable sentence, with the arguments filled in. */
  def sentence: String = args.foldLeft(code.template) { case (text, (name, value)) =>
    text.replace(s"{$name}", value)
  }

  override def toString: String = s"${code.name}: $sentence"
}

object Reason {
  def apply(code: ReasonCode, args: (String, String)*)(implicit dummy: DummyImplicit): Reason =
    new Reason(code, args)
}
